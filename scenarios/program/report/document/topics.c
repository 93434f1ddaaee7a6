/* The captions of reports of runs and comparisons, in the order of the page. */
#include "scenarios/program/report/document/figure.h"

static const FigureTopic topics[] = {
    {"utilisation", "How busy each part was", FIGURE_BARS,
     "Of each part on a request's way, and of what the verdict names, the share of the measured "
     "time in which it worked, or of its room that was taken; a mean over all units of the kind.",
     "%",
     "A part near 100 % has no room left, so queues grow in front of it. If all are short, latency "
     "is the bound, or one unit of many, or a part of the time; the verdict says which. DRAM "
     "reaches about 90 % at best, since refresh and changing rows take the rest."},
    {"resources", "Everything that can be full", FIGURE_TABLE,
     "What each server was busy with and each place held, on average of all instances, of how "
     "much; the share of time in which it was full, how often it refused, and its busiest "
     "instance.",
     "",
     "Read from top (the SM) to bottom (DRAM, and back). One that is full holds back those that "
     "feed it; whether it drains by itself or waits for another, the verdict follows. A busiest "
     "instance far above the mean is camping or imbalance. 'warpmem explain RESOURCE' says what "
     "it is, whom it feeds and whom it refuses."},
    {"energy_stages", "Where the energy went", FIGURE_BARS,
     "What events took at each stage of requests' way, whether or not a request waited for them "
     "there, as write-backs; what they took at none (instructions and arithmetic, refresh); and idle "
     "power over the measured time.",
     "uJ",
     "The bars sum to the whole. Beside the latency of a stage it says whether a faster way is also "
     "a cheaper one: waiting costs little but idle power, wires and DRAM's columns cost what they "
     "carry."},
    {"energy", "Energy by event", FIGURE_TABLE,
     "What each kind of event took: how often it was counted, times the energy of one, which follows "
     "from published figures, the process and the size of what is accessed; and idle power over the "
     "measured time.",
     "uJ",
     "The largest share is where energy can be saved. Of a change compare sums, and the shares that "
     "moved; absolute figures are as good as the assumed ones among those of [energy]."},
    {"storage", "Storage", FIGURE_TABLE,
     "Bits of every array, tag, table, queue and register file, from the machine's parameters: "
     "entries of one unit, bits of an entry, and of all units together; and roughly what SRAM of "
     "them takes of the die.",
     "",
     "Large entries are what area and leakage go to. Tags grow when lines become shorter, and what "
     "is compared at once with the ways and with the lines looked up together. 'warpmem explain "
     "l1.prt_bits' says what an entry has; widths that no source gives are assumed."},
    {"link_map", "Links of the network", FIGURE_GRAPH,
     "SMs, L2 slices and what they are joined by, a line for each link, wider and darker the longer "
     "packets were on it; in the table the busiest first.",
     "%",
     "A few dark lines among pale ones are what bounds a network that is not busy on average. A "
     "link that is busy all the time carries all it can, whatever waits before it. 'link "
     "NAME.bandwidth_scale = 2' in a variant tells what it costs."},
    {"resource_map", "How full resources were over time", FIGURE_HEAT,
     "Of each resource the share of its capacity that was at work or taken, on average of all "
     "instances.",
     "%",
     "A row that is dark throughout bounds the run; rows that are dark in turn are phases with "
     "different bounds."},
    {"busiest_map", "How full the fullest unit was over time", FIGURE_HEAT,
     "The same of the unit that was fullest in each interval.", "%",
     "A row that is darker here than in the map of means is unevenly loaded: one unit is full "
     "while others have room."},
    {"unloaded_latency", "Unloaded latency and waiting", FIGURE_STACKED_BARS,
     "The mean latency of each class of requests, divided into the way (what the request would "
     "take if it were alone) and waiting (queues, arbitration, replays).",
     "ns",
     "Where waiting is the longer part, more bandwidth or fewer requests make the machine "
     "faster; where the way is, only a shorter way or more requests at once do. What is both "
     "(translation, atomics, DRAM rows) counts as way."},
    {"littles_law", "Little's law in every queue", FIGURE_TABLE,
     "For each queue and table: how many were inside on average, and the product of how often "
     "one came and how long it stayed, which is counted independently.",
     "",
     "Both must be equal, whatever happens inside; that is Little's law. A queue with many inside "
     "and a long stay is where requests wait: its mean divided by the arrivals is the wait. A "
     "difference comes from what was inside when the measurement began or ended, as writes on "
     "their way to DRAM at the end, or traffic that goes on: 'passes but for its ends'. 'differs' "
     "would be an error of the model."},
    {"conservation", "Nothing is lost", FIGURE_TABLE,
     "Pairs of counters that different units keep, which must agree: each request has one "
     "reply, and bytes that leave one unit arrive at the next.",
     "",
     "'passes' says that both are equal, 'passes but for its ends' that no more is missing than "
     "was under way at either end of what is measured. 'differs' would be an error of the model."},
    {"each_kernel", "Each kernel", FIGURE_TABLE,
     "The measured launches, of many the 24 that took most time: their time and its share, what "
     "bound each, what they asked for and what DRAM carried, hit rates of loads, warp instructions "
     "an SM and core cycle.",
     "",
     "The share says where a change pays; what bound a kernel is its own, and may be nothing of "
     "what bounds the whole. Launches that run together are one row."},
    {"kernel_names", "Kernels by name", FIGURE_TABLE,
     "The same, of all launches of a name together.", "",
     "A kernel that is short and launched often may weigh more than a long one."},
    {"kernel_resources", "How full everything was", FIGURE_TABLE,
     "Of this kernel alone the resources that were at work or full for at least 2 % of its time.",
     "%", "Read as the table of all resources."},
    {"kernel_stages", "Where requests spent their time", FIGURE_TABLE,
     "Of this kernel's requests the stages that took at least 2 % of their class's latency.", "",
     "The mean over all requests of the class."},
    {"between_kernels", "Between kernels", FIGURE_TABLE,
     "What a recorded list has between its kernels: copies over the host's link, other commands, "
     "and the gap from a kernel's end to the next one's start.",
     "",
     "'begins' is on the list's own clock, simulated time and the time of the copies before. Copies "
     "are no part of any kernel's time. Where they take longer than kernels do, a faster kernel "
     "helps little."},
    {"left_out", "What was left out", FIGURE_TABLE,
     "Opcodes and commands that the model does not know, counted, and what it had to change.", "",
     "An instruction of an unknown opcode takes an issue slot and no more, whatever it would do on "
     "the GPU; a command that is not a copy takes no time."},
    {"why_layers", "Bounds in layers", FIGURE_TABLE,
     "What gains most when it is perfect, and the best step; then with that bound perfect.", "",
     "'perfect gains' is the most that the real part can cost of the layer's time; 'best step' is "
     "what to type to try the realistic one, with its gain for each mm2 of SRAM and each watt more."},
    {"why_perfect", "What a perfect part gains", FIGURE_BARS,
     "The share of the layer's time that is gone when one component is perfect.", "%",
     "The shares do not add up: two components may hide the same time. Below zero the run takes "
     "longer; what changes less than 0.1 % is left out."},
    {"why_doublings", "What a part twice as large or fast gains", FIGURE_BARS,
     "The share of the layer's time that is gone when one parameter is doubled.", "%",
     "Of a latency it is halved. What no doubling gains takes several changes, or another design."},
    {"why_choices", "What another design of a part gains", FIGURE_BARS,
     "The share of the layer's time that is gone when a part is built in another way.", "%",
     "Other policies, hashes, queues and ports, with everything else as it is."},
    {"stage_breakdown", "Where the latency went", FIGURE_STACKED_BARS,
     "The mean latency of a request of each class, divided into the stages that it was in.", "ns",
     "A request is in exactly one stage at any time, so a bar's length is the mean latency. "
     "Long stages that end in 'queue' or 'wait' are contention; the others are distance."},
    {"stage_sums", "All latency by stage", FIGURE_TABLE,
     "The time that requests spent in each stage, summed over all requests and over those of "
     "each class.",
     "us",
     "A sum weighs what is frequent: a stage with a large share is where the run's latency is "
     "to be won, whatever a single request looks like. Sort by a class to see its stages."},
    {"request_classes", "Classes of requests", FIGURE_TABLE,
     "For each class of requests how many there were, their mean latency, and the latency "
     "that so many percent of them did not exceed.",
     "ns",
     "load_l1_hit found its data in L1, load_merged joined a miss under way, load_shared_l1, "
     "load_l2_hit and load_dram say who answered. A p99 far above p50 is a queue; percentiles are within 0.8 "
     "%."},
    {"latency_cdf", "Share of requests that took no longer", FIGURE_LINES,
     "For each class the share of its requests whose latency is at most that on the "
     "horizontal axis.",
     "% of the requests",
     "A steep rise means that nearly all take equally long, steps are kinds of requests that "
     "differ, and a long flat end is a tail. Where a curve crosses 50 % is the median."},
    {"latency_histogram", "Latency histogram", FIGURE_STEPS,
     "How many requests of the class had which latency; a step's height is the number of "
     "requests in it, and it begins at the latency on the axis.",
     "requests",
     "The first peak is the latency without contention; what lies to its right waited. Half "
     "of the requests are left of p50, all but one in a hundred left of p99."},
    {"latency_stages", "Stages by latency", FIGURE_AREAS,
     "What requests of each latency spent their time in: the share of each stage in the "
     "latency of those that took about so long.",
     "% of the latency",
     "Read a vertical line: at p50 it is a typical request, at p99 a slow one. A stage that "
     "widens to the right is what makes requests slow."},
    {"slowest_stages", "The slowest 1 % against all", FIGURE_STACKED_BARS,
     "The mean latency of all requests of a class and of its slowest ones, about 1 %, divided "
     "into stages.",
     "ns",
     "Compare the two bars of a class: what is longer in that of the slowest is why they "
     "are slow."},
    {"slowest_requests", "The slowest requests", FIGURE_TABLE,
     "The requests with the longest latency of the whole run, one by one, and when each "
     "began, counted from the start of the first measured kernel.",
     "ns",
     "Look for what they share: an address, an instruction, an SM or a time points to a hot "
     "spot or a phase; nothing shared means queues that everybody waits in."},
    {"time_spent", "Where the time went", FIGURE_STACKED_BARS,
     "The time of the measured kernels, divided by what the warp schedulers did: issue, by the "
     "unit that took the instruction, and between two instructions what the warp waited for that "
     "issued next. A wait for data is divided by where the request was meanwhile.",
     "ns",
     "The parts add up to the measured time exactly. A long part is where time can be gained; "
     "what another one then takes of it only a run tells. 'Launch' and 'tail' had no warp, 'L1 "
     "refuses' had no room in what is named."},
    {"warp_time", "Where warps' time went", FIGURE_STACKED_BARS,
     "What resident warps did, as shares of the time that they were resident, summed over all SMs; "
     "where several worked, also for the two SMs whose warps waited least and most for loads.",
     "% of the warps' time",
     "Waiting for loads is latency that there were too few warps to hide, or bandwidth that has "
     "run out. A full execution unit is a bound inside the SM. SMs that differ have unequal work."},
    {"warp_stalls", "Warp stall reasons", FIGURE_TABLE,
     "The time that warps spent for each reason, summed over all, and the SMs with the "
     "smallest and the largest share.",
     "% of the warps' time",
     "The first lines to look at are those with the largest share; a wide gap between least "
     "and most is imbalance between SMs."},
    {"execution_units", "Execution units", FIGURE_TABLE,
     "Warp instructions that each kind of execution unit took, and dispatch slots that stayed "
     "empty because the units were full.",
     "warp instructions",
     "Many lost slots of one kind mean that the instruction mix wants more of these units, "
     "or, of load/store units, that L1 does not take more."},
    {"bandwidth_over_time", "Bandwidth over time", FIGURE_LINES,
     "Bytes that DRAM and the networks moved in each interval.", "GB/s",
     "Where DRAM's curves together are near its peak, DRAM bounds the run; valleys are phases that "
     "something else bounds: look for them in the warps and the queues at the same time. Bytes "
     "count when their command is taken, so an interval may have a few of the next one's."},
    {"utilisation_over_time", "Utilisation over time", FIGURE_LINES,
     "The share of what is possible: of dispatch slots of all SMs, and of the time of DRAM's "
     "data buses.",
     "%",
     "A resource near 100 % bounds that phase. DRAM's buses keep to about 90 % on average: "
     "refresh, activates and turns between reading and writing take the rest. A burst counts "
     "when its command is taken, so a short interval may have a little above 100 %."},
    {"warps_over_time", "Warps over time", FIGURE_AREAS,
     "Resident warps of an SM, on average over all SMs, and what they were doing.", "warps",
     "The outline is the occupancy. If most of it waits for loads and it stays far below the "
     "room there is, more warps would hide more latency; a ragged end is a tail in which few "
     "CTAs are left."},
    {"queues_over_time", "Queues over time", FIGURE_LINES,
     "How many requests wait or are under way in each place, on average over the places of a kind.",
     "requests",
     "The queue in front of the bound is long, those behind it are short. One that is as long "
     "as its capacity for long holds up what is in front of it."},
    {"power_over_time", "Power over time", FIGURE_AREAS,
     "What events took in each interval, by unit, above the power that the machine takes idle.",
     "W",
     "The outline is all that the model counts. An event takes its energy when it is counted, which "
     "is where its request was then; refreshes are spread over the whole time."},
    {"hit_rates_over_time", "Hit rates over time", FIGURE_LINES,
     "The share of look-ups in each interval that hit.", "%",
     "A rise at the beginning is a cache that fills. A fall later is a working set that has "
     "outgrown it."},
    {"sm_issue_map", "Issue of each SM over time", FIGURE_HEAT,
     "Warp instructions that each SM issued a core cycle, over time.", "warp instructions a cycle",
     "Rows with low values are SMs with less work, low values at the right edge the tail "
     "in which some SMs have finished."},
    {"l1_map", "Outstanding misses of each L1 over time", FIGURE_HEAT,
     "Lines that each L1 waits for, on average over the interval.", "outstanding misses",
     "As high as the pending request table has entries: that table bounds the SM. Low "
     "everywhere: too few loads are under way."},
    {"texture_map", "Texture look-ups of each unit over time", FIGURE_HEAT,
     "Lines that each texture unit looked up a core cycle, over time.", "lines a cycle",
     "Rows that differ are texture work that is unevenly spread over the SMs."},
    {"l2_map", "Look-ups of each L2 slice over time", FIGURE_HEAT,
     "Requests that each L2 slice looked up, for each core cycle, over time.", "look-ups a cycle",
     "A row with high values among low ones is camping: at that time most addresses went "
     "to one slice. One colour from top to bottom is what interleaving is for."},
    {"rop_map", "Atomics of each ROP over time", FIGURE_HEAT,
     "Operations of lanes that each ROP did, for each core cycle, over time.", "operations a cycle",
     "A single row with high values is a word, or a few, that everybody updates."},
    {"scheduler_map", "Reads that wait in each memory access scheduler", FIGURE_HEAT,
     "Reads in the queue of each memory access scheduler, on average over the interval.", "reads",
     "Long queues everywhere: DRAM is the bound. Long queues in a few rows: their channels "
     "are, while the others are idle."},
    {"dram_map", "Bandwidth of each DRAM channel over time", FIGURE_HEAT,
     "Bytes that each DRAM channel read and wrote, over time.", "GB/s",
     "One colour from top to bottom is a load that is spread well; a row that stands out "
     "is a channel that does the others' work."},
    {"unit_map", "Units over time", FIGURE_HEAT,
     "A statistic of each unit of a class, over time: a count for each core cycle, a level as its "
     "mean.",
     "", "Rows that differ are imbalance; columns that differ are phases of the run."},
    {"unit_banks", "Counts by bank", FIGURE_HEAT,
     "A count of each bank of each unit of a class in the whole run.", "",
     "A cell that stands out is a bank that does more than its part."},
    {"unit_hottest", "Hottest addresses", FIGURE_TABLE,
     "The addresses that a unit's statistic counts most often, with the array that each belongs to.",
     "", "A count lies between two bounds; addresses that are not surely hot are left out."},
    {"slice_camping", "Look-ups by L2 slice", FIGURE_BARS,
     "Requests that L2 slices looked up in the whole run, busiest first, and the mean of all "
     "slices.",
     "look-ups",
     "Bars far above the mean are partition camping: a stride keeps to a few slices. See "
     "address_map.hash and address_map.granularity."},
    {"bank_accesses", "Accesses by DRAM bank", FIGURE_HEAT,
     "Read and write bursts of each bank of each DRAM channel in the whole run.", "bursts",
     "A cell that stands out is a bank that serves more than its part; its requests wait "
     "for one row at a time while other banks are idle."},
    {"bank_activates", "Rows opened by DRAM bank", FIGURE_HEAT,
     "Activates of each bank of each DRAM channel in the whole run.", "rows opened",
     "Compare with the accesses: a bank with many activates for its accesses changes between "
     "rows all the time."},
    {"bank_conflicts", "Row conflicts by DRAM bank", FIGURE_HEAT,
     "Requests that found another row open and had to close it first, by bank.", "row conflicts",
     "Conflicts cost a precharge and an activate each. Many in one bank: streams that lie a "
     "multiple of the bank's rows apart. A request for several banks counts at its first, so "
     "banks that only go on with what others began have none."},
    {"hottest_lines", "Hottest lines", FIGURE_TABLE,
     "The lines that L2 looked up most often, with the array that each belongs to.", "look-ups",
     "Counting takes bounded memory, so a count lies between two bounds; lines that are not "
     "surely hot are left out, and without any the traffic is spread. One line with a large "
     "share is served by one slice, however many there are."},
    {"hottest_atomics", "Hottest atomics", FIGURE_TABLE,
     "The words that atomics updated most often, with the array that each belongs to.",
     "operations of lanes",
     "Operations on one word are done one after the other, so a word with a large share bounds "
     "the run: spread it over several, or reduce in shared memory first. A count lies between "
     "two bounds; words that are not surely hot are left out."},
    {"instruction_stages", "Latency by instruction", FIGURE_STACKED_BARS,
     "The instructions whose requests have the most latency, and in which stages: shares of "
     "the latency of all requests.",
     "% of all latency",
     "The first bar is the instruction to look at, its longest part the reason. An "
     "instruction is named by its operation and its program counter, its line where the source "
     "says, and its kernel where there are several."},
    {"instruction_latency", "Traffic and latency by instruction", FIGURE_TABLE,
     "For each instruction that accesses memory its requests, their latency, and which level "
     "served them.",
     "",
     "Bytes are those that lanes asked for. L1, merged, L2 and DRAM are shares of its "
     "requests; what is left ended elsewhere, as stores do."},
    {"array_stages", "Latency by array", FIGURE_STACKED_BARS,
     "For each named array the latency of the requests for it, by stage: shares of the "
     "latency of all requests.",
     "% of all latency", "The array whose layout, reuse or place matters most is first."},
    {"array_latency", "Traffic and latency by array", FIGURE_TABLE,
     "For each named array the requests for it, their latency, and which level served them.", "",
     "An array that DRAM serves although it would fit into a cache is worth a look. Requests "
     "that are in no named array are counted together."},
    {"hit_rates", "Hit rates", FIGURE_TABLE,
     "Look-ups of each cache and TLB in the whole run and what they found.", "look-ups",
     "Merged ones joined a fetch under way: they cost latency, but no bandwidth. What is neither a "
     "hit nor merged goes to the next level. A store of whole sectors hits in L2 without a fetch."},
    {"row_outcomes", "What requests found in DRAM", FIGURE_TABLE,
     "Whether the row of a request was open in its bank, no row was, or another one.", "requests",
     "An open row costs a column access alone; a closed bank an activate before, another row "
     "a precharge and an activate."},
    {"refusals", "What was refused and tried again", FIGURE_TABLE,
     "How often the head of a queue could not go on, by unit and reason.", "attempts",
     "An attempt is repeated until it succeeds, so counts grow with the time waited. The "
     "largest of a unit is what it waited for most."},
    {"kernels", "Kernels", FIGURE_TABLE,
     "Every launch that began, with its time: until its last CTA had ended and what its CTAs had "
     "stored and reduced was acknowledged.",
     "",
     "Only measured launches, and what ran beside, count in what follows; others warm caches up. "
     "Counted is the bandwidth as the benchmark counts its bytes."},
    {"launches", "How kernels fit on the SMs", FIGURE_TABLE,
     "CTAs that an SM has at once, how many each limit lets in, and how the CTAs were spread over "
     "the SMs, of the launches that took most time.",
     "",
     "The smallest limit binds; raising it helps up to the next. 'None any more' is the tail: "
     "SMs stand idle until the slowest is done. What full waves, of as many CTAs as an SM has at "
     "once, would save each CTA is arithmetic, as if none took longer for that: the most that they "
     "can save. Where CTAs share full pipes or buses they do, and it is about the tail."},
    {"counters", "All counters", FIGURE_TABLE,
     "Every statistic that is a number and is not 0, added up over all units of its class.", "",
     "Filter by a word to find one. Times are added up too, so they may exceed the run's. "
     "`explain UNIT.STATISTIC` says what else is known of one; the result has it unit by unit."},
    {"parameters", "Parameters", FIGURE_TABLE,
     "Every parameter of the machine and of the workload in this run, with its value and what "
     "it means.",
     "",
     "Filter by a word to find one. 'from' names the file and line that set a value, or says "
     "that it is the default; `explain GROUP.PARAMETER` says what is allowed."},
    {"comparison_results", "The results", FIGURE_TABLE,
     "Each result with its measured time, how that differs from the first one's, and what "
     "bound it.",
     "",
     "Sort by time to find the best. Where what bounds a result differs from the first one, "
     "the change moved the bottleneck, and further changes of the same kind gain little. An "
     "empty time: nothing was measured."},
    {"comparison_kernels", "Kernel by kernel", FIGURE_TABLE,
     "Each kernel's time before and after, its share of the whole change, and what bounded it.", "",
     "Launches belong together by name and number, or order. Sort by the share to find the kernel "
     "that the change is of; an empty time: one of the results has no such kernel."},
    {"comparison_summary", "Numbers side by side", FIGURE_TABLE,
     "The summary of each result, and beside it by how much it differs from the first result's.",
     "",
     "Changes are in percent of the first result's value; those of shares, which are in percent "
     "themselves, are differences. Look for the numbers that changed as much as the time did: "
     "they tell why."},
    {"comparison_machines", "The machines", FIGURE_TABLE,
     "What follows from the parameters of each machine: SMs, clock, caches, peaks.", "",
     "L1 is what shared memory leaves of it; the L2 TLB is that of all SMs."},
    {"comparison_parameters", "What differs", FIGURE_TABLE,
     "The parameters whose values are not the same in all results.", "",
     "All other parameters are equal, so these are the causes of every difference on this "
     "page. An empty cell: the result has no such parameter."},
    {"comparison_time", "Where the time went", FIGURE_STACKED_BARS,
     "The time of each result, divided by what the warp schedulers did, on average over all of "
     "its machine.",
     "ns",
     "As long as a result's bar is, so long did it take: the parts add up exactly, whatever the "
     "machines have of SMs, schedulers and clocks."},
    {"time_change", "Where the change of time comes from", FIGURE_WATERFALL,
     "The time of the first result and of the other one, and between them the change of each "
     "part of it: what the warp schedulers did, on average over all of each machine.",
     "ns",
     "Read from top to bottom: each step adds or takes time that schedulers spent more or less "
     "in one way. The steps are exact: in femtoseconds (column change_fs) they add up to the "
     "difference of the two times. A step says where time was gained, and the longest one what "
     "to change alone to see it confirmed."},
    {"latency_change", "Where latency moved", FIGURE_WATERFALL,
     "The latencies of all requests, summed, in the first result and in the other one, and "
     "between them the change of each class of requests in each stage.",
     "ns",
     "Read from top to bottom: the first bar is the sum before, each step adds or takes what "
     "one class spent more or less in one stage, the last bar is the sum after. The steps are "
     "exact: in femtoseconds (column change_fs) they add up to the difference to the last one. "
     "Requests that changed their class (a miss that became a hit) leave one class and join "
     "another. Less latency makes a run faster only if nothing hid it."},
    {"comparison_energy", "Where the energy went", FIGURE_STACKED_BARS,
     "What each result took at each stage of requests' way, at none, and by idle power.", "uJ",
     "The bars' lengths are all of the energy. A faster run has less idle power to pay; what a "
     "larger array, a longer way or more rows of DRAM cost stands beside it."},
    {"comparison_pressure", "Run time explained by bounds", FIGURE_BARS,
     "How much of what each part can do was used, in each result; of parts beside a request's way "
     "those that the verdict on any of them names.",
     "%",
     "A part that was near 100 % and is no longer has been relieved, and one that has come near it "
     "is the next limit. If all bars of a result are short, 'Bound by' above says what it is."},
    {"comparison_stages", "Stages side by side", FIGURE_STACKED_BARS,
     "The mean latency of a request of this class in each result, divided into the stages that "
     "it was in.",
     "ns",
     "A bar's length is the mean latency. A part that grew or shrank from bar to bar is where "
     "the difference lies; the same stage has the same colour everywhere."},
    {"comparison_latency", "Latencies side by side", FIGURE_LINES,
     "For each latency, the share of the requests that took no longer; a curve for each result.",
     "%",
     "A curve further left is faster. Where it crosses 50 % is the median, where it crosses 99 "
     "% what all but the slowest one in a hundred need. A long flat end is a tail of slow "
     "requests; curves that cross say that a change helps some requests and harms others."},
    {"comparison_percentiles", "Percentiles side by side", FIGURE_BARS,
     "The latency that half (p50), 90, 95, 99 and 99.9 % of the requests did not exceed, and "
     "the longest, in each result.",
     "ns",
     "Compare bars of one group. If p50 stays and p99 grows, few requests became much slower; "
     "if all change alike, the whole way did."},
    {"comparison_bandwidth", "DRAM bandwidth over time", FIGURE_STEPS,
     "What DRAM read and wrote in each interval of the measured time, in each result.", "GB/s",
     "A flat curve near the peak is a run bound by DRAM from start to end; valleys are times "
     "in which too few requests were under way. A curve that ends further left is of a run "
     "that took less time."},
    {.name = NULL},
};

static const FigureTopic *join(const FigureTopic *a, const FigureTopic *b)
{
    GArray *all = g_array_new(TRUE, FALSE, sizeof(FigureTopic));
    for (; a->name; a++) g_array_append_val(all, *a);
    for (; b->name; b++) g_array_append_val(all, *b);
    return (const FigureTopic *)g_array_free(all, FALSE);
}

const FigureTopic *figure_topics(void)
{
    static const FigureTopic *all;
    if (!all) all = join(topics, figure_study_topics());
    return all;
}
