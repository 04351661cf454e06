/** Asks at once, and shows the reply. `restart` is the plain way to stop what runs: end the worker and begin again. */
const LAB = "network";
const inputs = Object.fromEntries(
  [...new URLSearchParams(location.hash.slice(1))].map(([name, text]) => [name.replace(`${LAB}.`, ""), text]),
);

let worker;

function begin() {
  worker = new Worker(new URL("worker.mjs", import.meta.url), { type: "module" });
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => (typeof data === "string" ? show(JSON.parse(data)) : resolve());
    worker.onerror = (event) => reject(new Error(event.message));
  });
}

function show(reply) {
  document.querySelector(".lab-frame").innerHTML = reply.html;
}

globalThis.restart = () => {
  worker.terminate();
  return begin();
};

begin();
worker.postMessage(JSON.stringify({ id: 1, lab: LAB, inputs }));
