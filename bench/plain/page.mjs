/** Asks at once, and shows the reply. `restart` is the plain way to stop what runs: end the worker and begin again. */
let worker;
let lastId = 0;

function begin() {
  worker = new Worker(new URL("worker.mjs", import.meta.url), { type: "module" });
}

function ask(request) {
  lastId += 1;
  const id = lastId;
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => resolve(JSON.parse(data));
    worker.onerror = (event) => reject(new Error(event.message));
    worker.postMessage(JSON.stringify({ id, ...request }));
  });
}

const lab = "network";
const inputs = Object.fromEntries(
  [...new URLSearchParams(location.hash.slice(1))].map(([name, text]) => [name.replace(`${lab}.`, ""), text]),
);

async function show() {
  const reply = await ask({ lab, inputs });
  document.querySelector(".frame").innerHTML = reply.html;
}

globalThis.restart = () => {
  worker.terminate();
  begin();
  return show();
};

begin();
show();
