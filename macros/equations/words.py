"""Words that equations are written with. What stands in no list here is not guessed at: the equation stays text."""


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


# Stand before what they apply to, with or without parentheses: log n, max(a, b).
FUNCTIONS = _set(
    "Pr arccos arcsin arctan arg argmax argmin cos cosh cot coth deg det diag dim erf exp gcd inf ker lcm lg lim ln"
    " log max min sgn sin sinh sup tan tanh tr vec"
)
# Their subscript stands below them in a display: max over i.
LIMITS = _set("argmax argmin det gcd inf lim max min Pr sup")
# Functions only when a parenthesis follows at once; otherwise these are words like any other.
CALLED = _set(
    "Attention Attn Bernoulli Categorical Concat Conv Corr Cov CrossAttention CrossEntropy Decoder Dropout Embed"
    " Encoder Expert FFN GELU Gate Head KL LN LSE LayerNorm MHA MLP MSE MoE MultiHead Norm Pool RMS RMSNorm ReLU RoPE"
    " Router SelfAttention SiLU Sigmoid Softmax Std SwiGLU Swish Tanh TopK Unif Uniform Var abs attention cat ceil"
    " clamp clip concat conv corr cov dropout embed flatten floor gate gelu head layernorm lerp logit logits logsumexp"
    " mean median norm pow quantile rank relu rms round sigmoid sign silu size softmax softplus sort sqrt std stopgrad"
    " sum swiglu swish topk trace var"
)
# Names of several capitals that the field writes upright.
ACRONYMS = _set(
    "BW CP DP EP FLOP FLOPS FLOPs GPU GPUs HBM HFU IPC KV MFU MSE MTBF MTTR PP PUE QPS RTT SM SMs SNR SP TDP TP TPOT"
    " TPS TTFT"
)
# Subscripts that are glued to a letter: the comm of Tcomm. They are needed where the whole could be read as a word too.
SUBSCRIPTS = _set(
    "abs acc acceptance access accum accumulated accumulation activation activations active actual adam algo"
    " algorithm alloc amb ambient area arith arithmetic arrival attention attn available average avg backward"
    " bandwidth base batch bits block blocks board boundary bp branch bubble bubbles buffer bus busy bw bwd byte bytes"
    " cache capacity cell channel channels chip chips chunk chunks clk cold coll collective comm commit comms"
    " communication comp compress compute computed cond conv cool core cores cost count cp crit critical cross data"
    " dead decode decoder delay demand dense dev device devices die digital dir disk dma dp draft drain dram dst dyn"
    " dynamic eff effective elem elements embed embedding encode encoder energy ep epoch epochs err error eval event"
    " exec executed expert experts exposed extra fail failure fast feedforward fetch ffn field fill final flash flat"
    " flight flop flops forward fp frame free freq full fused fwd gate gen generated global gpu gpus grad gradient"
    " gradients grads gross group groups hbm head heads hidden high hit hits host ideal idle in init inlet input"
    " inputs inter interconnect intra issue item iter iteration iterations junction kernel kv lane lanes lat latency"
    " launch layer layers leak leakage level levels line linear link links live load local logic loss low mac machine"
    " macs main master max mean measured median mem memory message messages micro microbatch microbatches min mini"
    " minibatch misc miss misses mix mlp mod model moe msg net network new next nic node nodes noise nom nominal norm"
    " observed off offload old on op opt optim optimal optimizer out outlet output outputs overhead overlap overlapped"
    " package packet packets page pages par parallel param parameter parameters params path payload peak peer per pipe"
    " pipeline pixel pool port ports pos power pp pred predicted prefetch prefill prev proc prompt prop queries query"
    " queue rack ram random rank ranks rate raw read reads real recompute recv reduce ref rel remote replica replicas"
    " req request requests reserve reserved residual response result retry ring rms root round router row rows run"
    " sample samples sat sched scratch send seq sequence serial server service setup shard shards shared shift signal"
    " single sink size slack sleep slot slots slow small soft source sp sparse spec sram src stage stages stall stalls"
    " start startup stat state states static steady step steps storage stored stream stride sub sum supply sustained"
    " swap switch sync sys system table target task tasks temp tensor test theory thermal thread threads threshold"
    " tile tiles time tok token tokens tol top tot total tp train training trans transfer transfers tree true unit"
    " update updates used useful user util val valid value verify vocab wait wall warm warmup wavefront weight weights"
    " width window wire word words work worker workers world write writes"
)
# Words, units and acronyms that would otherwise read as a letter with a glued subscript.
WHOLE = _set(
    "abase aboard across actual afield afresh agate ahead alive amain amiss anew anode anodes app areal arms around"
    " asleep asp astir await bin bleak blow blows bold bring brings brow brows clat con cop cops cpu cpus crack cracks"
    " cram crank cranks crate crates craw crow crows ddr din dna doff don dpu dpus dram drank draw draws dread estate"
    " estates event factual fin flat flats flight floss flow flows fold folds frank fused gbit gbits gbyte gbytes"
    " gflop gflops ghost ghz gin gloss glow gold gout gparams gpu gpus gram grate grates ground grow grows gtoken"
    " gtokens hbm hold holds hop hops ion ions irate jamb kbit kbits kbyte kbytes kflop kflops khz kin knew kpi kpis"
    " lamb lin liter lop low madam mbar mbit mbits mbyte mbytes mflop mflops mhz min mold mop mparam mparams mpi"
    " mtoken mtokens non npu npus nvidia nvlink nvme nvswitch olive op orate outlet oval pbit pbyte pbytes pcie pflop"
    " pflops plane planes player players plow pop pram prank preserve prow rdma scold score scores sin slat slink slow"
    " sold son speak spool sport sports stable stop strain straining strip style swarm sword swords tbit tbits tbyte"
    " tbytes terror tflop tflops thigh thz tissue told top tops tpu tpus track tracks tram usage used user vpu whit"
    " whits win won wring xpu yin yon"
)
# Two letters that no English word begins with tell a glued name from a word: Tc, Mw, Nl. These ones can begin a word.
ONSETS = _set(
    "bl br by ch cl cr cy cz dh dr dw dy fj fl fr fy gh gl gn gr gy hy kh kl kn kr ky ll ly mn my ny ph pl pn pr ps"
    " pt py qu rh ry sc sf sh sk sl sm sn sp sq sr st sv sw sy th tr ts tw ty vl vr vy wh wr wy xy yt zh zl zw"
)
# Glued capitals and lower-case letters that are a product by long custom.
PRODUCTS = frozenset({"Ax", "Wx"})
# Two or three letters that are indices, each on its own: the ij of x_ij.
INDICES = _set("ij ji ik ki jk kj il li jl lj ijk mn nm nk kn")
# Behind a number. Units of one letter are not here: 6 N D is a product, and so nobody can tell.
UNITS = _set(
    "ns μs µs us ms fs ps KB kB MB GB TB PB KiB MiB GiB TiB kb Kb Mb Gb Tb kbit Mbit Gbit Tbit bit bits byte bytes"
    " FLOP FLOPs GFLOP TFLOP PFLOP Hz kHz MHz GHz THz fJ pJ nJ µJ μJ mJ kJ MJ mW kW MW GW mV kV mA nA µA μA nm µm μm"
    " mm cm km fF pF nF dB eV kg °C kWh MWh bit/s kbit/s Mbit/s Gbit/s Tbit/s kb/s Mb/s Gb/s Tb/s kB/s KB/s MB/s GB/s"
    " TB/s MiB/s GiB/s TiB/s byte/s bytes/s FLOP/s FLOPs/s GFLOP/s TFLOP/s PFLOP/s FLOP/byte FLOPs/byte pJ/bit pJ/byte"
    " GFLOPS TFLOPS PFLOPS EFLOP/s token/s tokens/s"
)
# A number and one of these letters: a unit or a symbol, nobody can tell.
UNITS_OF_ONE_LETTER = frozenset("sWVJB")
# Wholes that look like a fraction and are words.
NOT_FRACTIONS = _set("a/b a/c c/o d/a i/o n/a r/w w/o w/r w/w y/n")
