"""Rows of resources.py for what stands around an SM: dispatcher, SM, load/store unit, L1, texture unit, MMU."""


POOLS = ("core", "int", "fp64", "sfu", "load_store", "texture", "other")


def passes(pool, run):
    """Of each instruction as many as a warp has lanes for a unit."""
    lanes, warp_lanes = run.number(f"sm.{pool}_lanes"), run.number("machine.warp_lanes")
    return run.total(f"sm.{pool}_accepted") * -(-warp_lanes // lanes) * run.period("core")


def pipe(pool, run):
    """Operands that are waited for keep a unit longer: which pool's is not told, so what the others say they are is left over."""
    waits = (run.total("sm.bank_conflicts") + run.total("sm.operand_waits")) * run.period("core")
    return passes(pool, run) + waits - sum(run.counted(f"sm.{other}_pipe") - passes(other, run) for other in POOLS if other != pool)


def issue_slots(run):
    return run.total("sm.warp_instructions") * run.period("core")


def atomics(run):
    return run.total("sm.memory_instructions") - run.total("sm.load_instructions") - run.total("sm.store_instructions")


def atomic_lanes(run):
    """Each lane beyond the first that wants one address; those in shared memory are L1's matter."""
    each = run.number("load_store.atomic_interval") * run.period("core")
    if run.number("load_store.atomic_replay_latency"):
        each = run.cycles("load_store.interval", "core")
    passes = run.total("load_store.atomic_passes")
    if run.total("load_store.shared_instructions"):
        return 0, passes * each
    time = (passes - atomics(run)) * each
    return time - atomics(run), time + atomics(run)


def addresses(run):
    """An interval an instruction, and what lanes of atomics keep all of it; up to the next edge, between two of which the texture unit's room may come."""
    taken, same_address = run.total("load_store.instructions"), run.counted("load_store.same_address")
    late = taken if run.total("load_store.texture_stalls") else atomics(run) * (same_address > 0)
    at_once = run.number("load_store.instructions_per_interval")
    time = taken * run.cycles("load_store.interval", "core") + at_once * same_address
    return time, time + late * run.period("core")


def arbiter(run):
    """Wavefronts of loads, lines that they look up again and lines of stores at the rate of look-ups, passes of shared memory at that of the
    array's ports."""
    turns = sum(run.total(f"l1.{count}") for count in ("wavefronts", "replayed_lines", "writes", "atomics"))
    interval, at_once = run.number("l1.lookup_interval"), run.number("l1.lookups_per_interval")
    shared, ports, cycle = run.total("l1.shared_passes"), run.number("l1.data_ports"), run.period("core")
    time = (turns * interval / at_once + shared / ports) * cycle
    return time - turns * (at_once > 1) - shared * (ports > 1), time  # each in whole fs


def conflicts(run):
    """Beside each other at the array's ports; each access's in whole fs."""
    cycles, ports = run.total("l1.conflict_cycles"), run.number("l1.data_ports")
    time = cycles * run.period("core") / ports
    return time - cycles * (ports > 1), time


def leaving(run, requests):
    """Each takes its share of the interval, in whole fs."""
    count, at_once = run.total(requests), run.number("l1.misses_per_interval")
    time = count * run.cycles("l1.miss_interval", "core")
    return time if at_once == 1 else (time, time + count * at_once)


def look_ups(run):
    """Lines of texels and loads, of which the cache has places, and lines that it passes on."""
    return sum(run.total(f"texture.{count}") for count in ("hits", "misses", "past_cache", "stores", "atomics"))


def steps(run):
    return run.total("texture.steps") + (run.total("texture.data_groups") if run.text("texture.cache") == "own" else 0)


def fills(run):
    """Sectors over the port's width: where they fill cycles, of bytes."""
    if run.number("machine.sector_bytes") % run.number("texture.fill_bytes"):
        return run.total("texture.fill_turns") * run.period("core")
    return run.total("texture.bytes_from_network") / run.number("texture.fill_bytes") * run.period("core")


def returns(run):
    """Texels in whole cycles, values of loads and atomics at the port's width."""
    own = run.text("texture.cache") == "own"
    data, groups = (run.total(f"texture.{count}") if own else 0 for count in ("bytes_returned", "data_groups"))
    time = (run.total("texture.return_turns") + data / run.number("texture.return_bytes")) * run.period("core")
    return time - groups, time


def walks(run):
    """Each level, what reads of L2 take besides, or a look-up in the page-walk cache."""
    reads = (run.total("mmu.read_latency_seen") or {"sum_fs": 0})["sum_fs"]
    return (reads + run.total("mmu.levels_read") * run.cycles("mmu.walk_level_latency", "core")
            + run.total("mmu.walk_cache_hits") * run.cycles("mmu.walk_hit_latency", "core")
            + run.total("mmu.window_switches") * run.cycles("mmu.window_switch_latency", "core"))


FORMULAS = {
    "cta_dispatcher.launch_port": lambda run: run.arrivals("cta_dispatcher.running") * run.cycles("cta_dispatcher.launch_interval", "core"),
    "sm.warp_launches": lambda run: run.arrivals("sm.resident_warps") * run.cycles("sm.warp_launch_interval", "core"),
    "sm.issue_slots": issue_slots,
    "sm.register_waits": lambda run: (0, (run.total("sm.bank_conflicts") + run.total("sm.operand_waits")) * run.period("core")),
    **{f"sm.{pool}_pipe": lambda run, pool=pool: pipe(pool, run) for pool in POOLS},
    "load_store.addresses": addresses,
    "load_store.same_address": atomic_lanes,
    "l1.arbiter": arbiter,
    "l1.data_array": lambda run: run.total("l1.data_passes") * run.period("core"),
    "l1.array_write": lambda run: run.total("l1.write_passes") * run.period("core"),
    "l1.result_bus": lambda run: run.total("l1.register_writes") * run.period("core"),
    "l1.conflicts": conflicts,
    "l1.miss_port": lambda run: leaving(run, "l1.requests"),
    "l1.texture_port": lambda run: leaving(run, "l1.texture_requests"),
    "texture.address_stage": lambda run: steps(run) * run.cycles("texture.quad_interval", "core"),
    "texture.tag_ports": lambda run: look_ups(run) * run.period("core"),
    "texture.miss_port": lambda run: run.total("texture.requests") * run.period("core"),
    "texture.fill_port": fills,
    "texture.data_ports": lambda run: sum(run.total(f"texture.{count}") for count in ("hits", "misses", "stores_kept")) * run.period("core"),
    "texture.filters": lambda run: run.total("texture.filter_turns") * run.cycles("texture.quad_interval", "core"),
    "texture.return_port": returns,
    "mmu.tlb_ports": lambda run: (run.total("mmu.requests") + run.total("mmu.refused_misses")) * run.period("core"),
    "mmu.walkers_busy": walks,
}
