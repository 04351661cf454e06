"""Steps whose communication runs beside the computation, or cannot: tasks for simulate_timeline.

Each is a valid schedule. Drop one of its waits, and simulate_timeline says what that would break.
"""

from labs.model.collectives.ring import ring_all_reduce_time
from labs.model.quantities.errors import ModelError
from labs.model.quantities.inputs import count
from labs.model.timelines.buckets import DDP_BUCKET, DDP_FIRST_BUCKET, gradient_buckets
from labs.model.timelines.tasks import COMPUTE, Read, Task

NETWORK = "network"


def gradient_reduction_tasks(
    *,
    backward: tuple[float, ...],
    gradients: tuple[float, ...],
    ranks: int,
    latency: float,
    bandwidth: float,
    bucket: float = DDP_BUCKET,
    first_bucket: float = DDP_FIRST_BUCKET,
) -> tuple[Task, ...]:
    """Return a backward pass in which gradients are reduced bucket by bucket, each as soon as its last one is there.

        start of bucket k = max(end of the backward that fills it, end of bucket k − 1)

    Args:
        backward: seconds of each layer, in the order of the forward pass; it is the last microbatch's
        gradients: bytes of each layer
        ranks: replicas that reduce them in a ring, p [1]
        latency: per step of the ring, α [s]
        bandwidth: effective, per link and direction, B [byte/s]
        bucket: size that closes a bucket [byte]
        first_bucket: size that closes the first one [byte]

    Returns:
        tasks on the streams compute and network

    Raises:
        ModelError: an input out of range

    Source:
        Li et al., PyTorch Distributed: Experiences on Accelerating Data Parallel Training, section 3.2

    >>> tasks = gradient_reduction_tasks(
    ...     backward=(1e-3, 1e-3), gradients=(25e6, 25e6), ranks=2, latency=0.0, bandwidth=25e9, bucket=25e6
    ... )
    >>> [(task.name, task.duration) for task in tasks]
    [('backward 1', 0.001), ('reduce 0', 0.001), ('backward 0', 0.001), ('reduce 1', 0.001)]
    """
    if len(backward) != len(gradients):
        raise ModelError(f"expected gradients of {len(backward)} layers, found {len(gradients)}", argument="gradients")
    tasks: list[Task] = []
    for number, layers in enumerate(gradient_buckets(gradients=gradients, bucket=bucket, first_bucket=first_bucket)):
        tasks += [
            Task(name=f"backward {layer}", stream=COMPUTE, duration=backward[layer], writes=(f"gradient {layer}",))
            for layer in layers
        ]
        payload = sum(gradients[layer] for layer in layers)
        tasks.append(
            Task(
                name=f"reduce {number}",
                stream=NETWORK,
                duration=ring_all_reduce_time(payload=payload, ranks=ranks, latency=latency, bandwidth=bandwidth),
                after=(f"backward {layers[-1]}",),
                reads=tuple(Read(f"gradient {layer}", f"backward {layer}") for layer in layers),
                writes=tuple(f"gradient {layer}" for layer in layers),
            )
        )
    return tuple(tasks)


def sharded_parameter_tasks(
    *, layers: int, forward: float, backward: float, gather: float, scatter: float, buffers: int = 2
) -> tuple[Task, ...]:
    """Return a step of ZeRO-3: each layer's parameters are gathered ahead, twice, and its gradients scattered behind.

    Gathers and reduce-scatters share one network, in the order in which they can start.

        start of gather n = max(end of gather n − 1, end of the computation n − k, whose buffer it takes)

    Args:
        layers: equal ones, L [1]
        forward: of one layer [s]
        backward: of one layer [s]
        gather: all-gather of the parameters of one layer [s]
        scatter: reduce-scatter of the gradients of one layer [s]
        buffers: for gathered layers; one leaves nothing to hide behind, k [1]

    Returns:
        tasks on the streams compute and network

    Raises:
        ModelError: an input out of range

    Source:
        Rajbhandari et al., ZeRO, section 7.2.2; Zhao et al., PyTorch FSDP: Experiences on Scaling Fully Sharded Data
        Parallel, section 3.3

    >>> tasks = sharded_parameter_tasks(layers=2, forward=1.0, backward=2.0, gather=0.5, scatter=0.5)
    >>> [task.name for task in tasks if task.stream == "network"]
    ['gather 0', 'gather 1', 'gather 1 again', 'gather 0 again', 'scatter 1', 'scatter 0']
    """
    n, k = count("layers", layers), count("buffers", buffers)
    passes = [(f"forward {layer}", f"gather {layer}") for layer in range(n)]
    passes += [(f"backward {layer}", f"gather {layer} again") for layer in reversed(range(n))]
    tasks: list[Task] = []
    gathered = 0
    for number, (name, gathering) in enumerate(passes):
        buffer = f"parameters {number % k}"
        # What is gathered ahead goes on the network before the gradients of the layer that computes meanwhile.
        while gathered < min(len(passes), number + k):
            after = (passes[gathered - k][0],) if gathered >= k else ()
            tasks.append(
                Task(
                    name=passes[gathered][1],
                    stream=NETWORK,
                    duration=gather,
                    after=after,
                    writes=(f"parameters {gathered % k}",),
                )
            )
            gathered += 1
        back = number >= n
        layer = name.split()[1]
        tasks.append(
            Task(
                name=name,
                stream=COMPUTE,
                duration=backward if back else forward,
                after=(gathering,),
                reads=(Read(buffer, gathering),),
                writes=(f"gradient {layer}",) if back else (),
            )
        )
        if back:
            tasks.append(
                Task(
                    name=f"scatter {layer}",
                    stream=NETWORK,
                    duration=scatter,
                    after=(name,),
                    reads=(Read(f"gradient {layer}", name),),
                )
            )
    return tuple(tasks)


def tensor_parallel_tasks(*, blocks: int, compute: float, exchange: float) -> tuple[Task, ...]:
    """Return blocks of a tensor-parallel layer: the next one needs the sum of the last, so no exchange can hide.

        step = n (compute + exchange)

    Args:
        blocks: attention or MLP, each with one exchange, n [1]
        compute: of one block on one rank [s]
        exchange: all-reduce, or all-gather and reduce-scatter, of its output [s]

    Returns:
        tasks on the streams compute and network

    Raises:
        ModelError: an input out of range

    Source:
        Shoeybi et al., Megatron-LM: Training Multi-Billion Parameter Language Models Using Model Parallelism, section 3

    >>> [task.name for task in tensor_parallel_tasks(blocks=2, compute=2e-3, exchange=1e-3)]
    ['block 0', 'exchange 0', 'block 1', 'exchange 1']
    """
    tasks: list[Task] = []
    for block in range(count("blocks", blocks)):
        needed = f"exchange {block - 1}"
        tasks += [
            Task(
                name=f"block {block}",
                stream=COMPUTE,
                duration=compute,
                after=(needed,) if block else (),
                reads=(Read(f"sum {block - 1}", needed),) if block else (),
                writes=(f"part {block}",),
            ),
            Task(
                name=f"exchange {block}",
                stream=NETWORK,
                duration=exchange,
                after=(f"block {block}",),
                reads=(Read(f"part {block}", f"block {block}"),),
                writes=(f"sum {block}",),
            ),
        ]
    return tuple(tasks)


def pipeline_send_tasks(*, microbatches: int, compute: float, send: float, buffers: int = 2) -> tuple[Task, ...]:
    """Return a pipeline stage that sends each microbatch's output while it computes the next.

        start of computation n = max(end of computation n − 1, end of the send n − k, whose buffer it takes)

    Args:
        microbatches: one after another [1]
        compute: of one microbatch [s]
        send: of its output to the next stage [s]
        buffers: for outputs; one leaves nothing to hide behind, k [1]

    Returns:
        tasks on the streams compute and network

    Raises:
        ModelError: an input out of range

    Source:
        Narayanan et al., PipeDream: Generalized Pipeline Parallelism for DNN Training, section 3.1 (overlap of
        computation and communication)

    >>> [(task.name, task.after) for task in pipeline_send_tasks(microbatches=2, compute=2e-3, send=1e-3, buffers=1)]
    [('compute 0', ()), ('send 0', ('compute 0',)), ('compute 1', ('send 0',)), ('send 1', ('compute 1',))]
    """
    k = count("buffers", buffers)
    tasks: list[Task] = []
    for number in range(count("microbatches", microbatches)):
        name, buffer = f"compute {number}", f"output {number % k}"
        after = (f"send {number - k}",) if number >= k else ()
        tasks += [
            Task(name=name, stream=COMPUTE, duration=compute, after=after, writes=(buffer,)),
            Task(name=f"send {number}", stream=NETWORK, duration=send, after=(name,), reads=(Read(buffer, name),)),
        ]
    return tuple(tasks)
