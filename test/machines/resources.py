"""What the resources of a result did and held, counted a second time.

Of a server a formula gives the time of all instances together, in fs, from statistics and parameters: what its work takes, bytes over the rate,
pieces x interval. Of a place what all that left it stayed by their own times has to be its mean (Little's law): each notes when it came, a channel's
sender and receiver note when messages and credits set out and arrive, and none of them reads the meter. Where other statistics say it once more,
there is a formula too.

A number has to be met to the last cycle; (least, most) where something was under way when the region of interest began or ended, or where the
statistics do not say it exactly: BOUNDED has the reasons.
"""

import re

import resources_sm

FACTORS = {"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40, "kHz": 10**3, "MHz": 10**6, "GHz": 10**9}
ROUNDING = 1e-14  # of a number in a result
AHEAD = 200  # DRAM cycles
LONGEST = 8  # cycles of a packet on a link


class Run:
    """A result.json, and how to ask it."""

    def __init__(self, result):
        self.result = result
        # what lies between kernels is no part of a resource's mean
        self.between = result.get("kernel_rest", {}).get("between", {"time_ns": 0, "units": {}})
        self.length = result["profile"]["series"]["span"] - round(self.between["time_ns"] * 1e6)
        self.cut = any(resource.get("inside") for unit in result["resources"].values() for resource in unit.values())

    def number(self, key):
        """"l2_slice.lookup_interval" of "2 cycles": 2; "dram.row_bytes" of "1 KiB": 1024; "dram.tRP" of "14 ns": cycles."""
        group, name = key.split(".")
        if group == "dram" and self.result["parameters"][group][name].endswith("s") and not self.text(key).endswith("cycles"):
            return self.rounded(key)
        match = re.match(r"([0-9.]+)\s*([A-Za-z]*)", self.result["parameters"][group][name])
        value = float(match[1]) if "." in match[1] else int(match[1])
        return value * FACTORS.get(match[2], 1)

    def rounded(self, key):
        """A time of the DRAM in cycles, rounded up as JESD79-4 does; intervals of refreshes are rounded down."""
        cycles = self.time(key) * self.number("machine.dram_clock") / 1e15
        return int(cycles) if "REFI" in key else max(int(cycles + 0.974), 1)

    def text(self, key):
        group, name = key.split(".")
        return self.result["parameters"][group][name]

    def period(self, domain):
        """Of "core", "l2", "network" or "dram", in fs."""
        return round(1e15 / self.number(f"machine.{domain}_clock"))

    def time(self, key):
        """"pager.move_latency" of "2 us", in fs."""
        value, unit = self.text(key).split()
        return round(float(value) * {"ns": 10**6, "us": 10**9, "ms": 10**12, "s": 10**15}[unit])

    def cycles(self, key, domain):
        return self.number(key) * self.period(domain)

    def total(self, statistic):
        """"l2_slice.accesses" of all slices."""
        name, field = statistic.split(".")
        whole, between = (of["units"].get(name, {"total": {}})["total"].get(field, 0) for of in (self.result, self.between))
        return whole - between if isinstance(whole, (int, float)) else whole

    def units(self, name):
        return self.result["units"].get(name, {"instances": []})["instances"]

    def stay(self, level):
        """The sum of all stays in "l2_slice.queue"."""
        return (self.total(level) or {"stay_fs": 0})["stay_fs"]

    def counted(self, name):
        """The work of all instances of a resource, of which there may be none."""
        unit, _, field = name.rpartition(".")
        resource = self.result["resources"][unit].get(field)
        if not resource:
            return 0
        return resource["mean"] * resource["instances"] * self.length

    def arrivals(self, level):
        return (self.total(level) or {"arrivals": 0})["arrivals"]


# --- what has turns ---------------------------------------------------------------------------------------------------

def word_turns(run):
    """Without a cache turns are round trips, of which lines have theirs side by side."""
    if not run.number("rop.cache_entries"):
        return 0, len(run.units("rop")) * run.length
    return 0, run.total("rop.operations") * run.cycles("rop.interval", "l2") * run.number("rop.partial_interval")


# --- channels: a place is taken when its message is sent and free when the receiver's credit has come -----------------

def request_exits(run):
    """Crossbar to L2: on the link, on the wires, in front of the slice, and back; other clocks round up."""
    requests, queued = run.units("crossbar")[0], run.stay("l2_slice.queue")
    wire = 2 * run.cycles("network.request_destination_latency", "network")
    there = requests["busy"] + requests["wire_time"] + requests["packets"] * wire
    time = with_edges(run, there, requests["packets"], "network", "l2")
    if run.number("machine.l2_halves") > 1:  # the queue has requests of other halves as well
        return least(time), most(time) + queued
    places = run.number("network.l2_input_buffer") * len(run.units("l2_slice"))
    return with_ends(plus(time, queued), requests["queued"]["arrivals"], requests["packets"], places)


def with_edges(run, time, messages, *domains):
    """On its way there and back each message waits for an edge of the other clock."""
    periods = {run.period(domain) for domain in domains}
    return time if len(periods) == 1 else (time, time + messages * sum(periods))


def with_ends(time, arrived, left, places):
    """What was in the places when the region began, or is when it ends, stays up to twice as long as others; if there can be any."""
    slack = 2 * places * most(time) / max(left, 1) if arrived != left else 0
    return least(time) - slack, most(time) + slack


def least(time):
    return time[0] if isinstance(time, tuple) else time


def most(time):
    return time[1] if isinstance(time, tuple) else time


def plus(time, further):
    return least(time) + further, most(time) + further


def to_rop(run):
    wires = run.cycles("channels.l2_to_rop", "l2") + run.cycles("channels.rop_to_l2", "l2")
    return (run.total("rop.requests") + run.total("rop.recalls")) * wires + run.stay("rop.queue")


# --- crossbar: what its own statistics say of its links; the sizes of packets on the way in are in none ------------------

ROLES = {"request": 0, "reply": 1}


def crossbar(run, role):
    return run.units("crossbar")[ROLES[role]]


def left_over(run, role, time, packets=1):
    """Where packets are left over when the region begins or ends, so many at each end of the network."""
    network, ends = crossbar(run, role), len(run.units("l1")) + len(run.units("l2_slice"))
    slack = packets * ends * LONGEST * run.period("network") if network["queued"]["arrivals"] != network["packets"] else 0
    return least(time) - slack, most(time) + slack


def source_links(run, role):
    """Where the link in is as wide as the one out, as long as there."""
    network = crossbar(run, role)
    ways_in, ways_out = (run.number(f"network.{role}_{end}_bandwidth") for end in ("source", "destination"))
    if run.text("network.ideal") in ("both", "requests" if role == "request" else "replies"):
        return 0
    return left_over(run, role, network["busy" if ways_in == ways_out else "busy_sources"], run.number("network.input_buffer"))


def taking(run, role):
    """A link's time, so many times as fast; turns begin anywhere in a cycle."""
    network, speedup = crossbar(run, role), run.number("crossbar.speedup")
    if speedup == 1:
        return left_over(run, role, network["busy"])
    return 0, network["busy"] / speedup + network["packets"] * run.period("network")


def passing(run, role):
    """With one queue an input also while its head waits for an output that others keep, and not for room behind that."""
    time = taking(run, role)
    return time if run.text("crossbar.queueing") != "fifo" else (least(time), most(time) + crossbar(run, role)["head_wait"])


def routers(run, role, *fields):
    return sum(router[field] for router in run.units("router") if f"[{role}]" in router["path"] for field in fields)


def under_way(run, role):
    """One by one the packets of a source are under way as long as each would take alone, or longer; none longer than it is carried."""
    network = run.units("flow_network")[ROLES[role]]
    stay = network["carried"]["stay_fs"]
    return stay if not run.number("flow_network.in_flight") else (network["busy"], stay)


def held_links(run, role):
    """Of packets that hold their ways alone each is on one link in and on one out; shared ones carry it no longer."""
    busy = run.units("flow_network")[ROLES[role]]["busy"]
    return busy if run.number("network.concurrency") == 1 else (0, busy)


def of_routers(name, *fields):
    """Requests and replies have routers of their own, or all are shared."""
    return {name.replace(".", f"[{network}].", 1): lambda run, network=network: routers(run, network, *fields) for network in (*ROLES, "shared")}


def of_both(name, what):
    """Of requests and replies: a formula for each, or the same words."""
    return {name.replace(".", f"[{role}].", 1): (lambda run, role=role: what(run, role)) if callable(what) else what for role in ROLES}


# --- L2: look-ups x interval, what its own statistics say of ports, and stays -----------------------------------------

def look_ups(run):
    """A read that is fetched from another half is counted there; what is sent on for good, there as well. A line that is cleaned takes one."""
    count = sum(run.total(f"l2_slice.{name}") for name in ("accesses", "atomics", "far_reads", "forwarded", "cleaned_ahead"))
    return count * run.cycles("l2_slice.lookup_interval", "l2")


def array_port(run, *fields):
    return sum(run.total(f"l2_slice.{field}") for field in fields)


def one_port(run):
    return run.text("l2_slice.array_ports") == "1RW"


def write_port(run):
    """Where stores are left over when the region begins or ends, it is taken up to the write buffer's lines ahead."""
    if one_port(run):
        return 0
    ahead_bytes = run.number("l2_slice.write_buffer") * run.number("machine.line_bytes")
    ahead_time = run.cycles("l2_slice.hit_latency", "l2") + ahead_bytes / run.number("l2_slice.data_bandwidth") * run.period("l2")
    requests = run.units("crossbar")
    left_over = requests and requests[0]["queued"]["arrivals"] != requests[0]["packets"]
    slack = ahead_time * len(run.units("l2_slice")) if left_over else 0
    return run.total("l2_slice.write_busy") - slack, run.total("l2_slice.write_busy") + slack


def far_side(run, name):
    """All that is under way to other halves and back, less what the other two places hold."""
    others = {"far_fetches", "far_forwards", "far_recalls"} - {name}
    return run.stay("l2_slice.crossing") - sum(run.counted(f"l2_slice.{other}") for other in others)


def link(run, other):
    return run.total("l2_slice.cross_busy") - run.counted(f"l2_slice.{other}")


def half_links(run, role):
    """Bytes over what SimGrid says of each; what each packet takes is rounded down to a fs."""
    units, links = run.units("half_link")[ROLES[role]::2], run.result["links"][f"l2_{role}"]
    time = sum(unit["bytes"] * 1e6 / link["bandwidth_gbps"] for unit, link in zip(units, links))
    return time - sum(unit["packets"] for unit in units), time


# --- DRAM: commands x what each takes --------------------------------------------------------------------------------

def dram_cycles(run, cycles):
    return cycles * run.period("dram")


def ahead(run, time, servers=1):
    """Where requests are left over when the region begins or ends, their commands are booked up to AHEAD cycles before they are due."""
    left_over = (run.arrivals("access_scheduler.reads_waiting") + run.arrivals("access_scheduler.writes_waiting")
                 != sum(run.total("access_scheduler." + of) for of in ("reads", "writes", "own_requests")))
    slack = dram_cycles(run, AHEAD * servers * len(run.units("dram_channel"))) if left_over or writes_run_out(run) else 0
    return least(time) - slack, most(time) + slack


def burst_cycles(run):
    return run.number("dram.burst_length") // run.number("dram.data_rate")


def dram_is_ideal(run, *values):
    return run.text("dram.ideal") in values


def activates(run, cycles, servers=1):
    return ahead(run, dram_cycles(run, run.total("dram_channel.activates") * cycles), servers)


def bursts(run, cycles, servers=1):
    columns = 0 if dram_is_ideal(run, "bandwidth") else run.total("dram_channel.reads") + run.total("dram_channel.writes")
    return ahead(run, dram_cycles(run, columns * cycles), servers)


def banks(run):
    return run.number("dram.bank_groups") * run.number("dram.banks_per_group")


def row_cycle(run):
    return max(run.number("dram.tRC"), run.number("dram.tRAS") + run.number("dram.tRP"))


def activate_slots(run):
    return run.number("dram.activate_cycles") * run.number("dram.row_bus_sharers")


def command_buses(run):
    """Precharges that a column brought along are not on the bus."""
    precharge = run.number("dram.precharge_cycles") * run.number("dram.row_bus_sharers")
    precharges = run.total("dram_channel.precharges") - run.total("dram_channel.auto_precharges")
    rows, columns, closed = activates(run, activate_slots(run)), bursts(run, 1), dram_cycles(run, precharges * precharge)
    return least(rows) + least(columns) + closed, most(rows) + most(columns) + closed


def column_gap(run):
    return burst_cycles(run) if dram_is_ideal(run, "timing") else max(burst_cycles(run), run.number("dram.tCCD_L"))


def refresh_time(run):
    """Of one bank or of all together."""
    cycles = run.number("dram.tRP") + run.number("dram.tRFCpb" if run.text("dram.refresh") == "per_bank" else "dram.tRFC")
    return dram_cycles(run, run.total("dram_channel.refresh_turns") * cycles)


def refreshes(run):
    return ahead(run, refresh_time(run) * (1 if run.text("dram.refresh") == "per_bank" else banks(run)))


def turns(run):
    """What changes of direction take of the bus."""
    if dram_is_ideal(run, "timing", "bandwidth"):
        return 0
    read, write, burst = run.number("dram.CL"), run.number("dram.CWL"), burst_cycles(run)
    to_write = max((run.number("dram.tRTW") or read + burst + 2 - write) + write - read - burst, 0)
    to_read = run.number("dram.tWTR_S") + read
    return dram_cycles(run, run.total("dram_channel.turns_to_write") * to_write + run.total("dram_channel.turns_to_read") * to_read)


def host_link(run, moves, moved):
    """Each move ends at an edge of its clock."""
    time = run.total(moves) * run.time("pager.move_latency") + run.total(moved) * 1e6 / run.number("host_link.gbps")
    return time, time + run.total(moves) * run.period("l2")


def fault_handler(run):
    return run.total("pager.batches") * -(-run.time("pager.fault_latency") // run.period("l2")) * run.period("l2")


def bus_time(run):
    held = refresh_time(run) if run.text("dram.refresh") == "all_bank" else 0
    return run.total("dram_channel.bus_busy") + turns(run) + held


def data_bus(run):
    return ahead(run, bus_time(run))


def writes_run_out(run):
    """The region ends while last writes, for which nobody waits, are on their way to the pins: one of a channel at most."""
    way = run.number("dram.CWL") + burst_cycles(run)
    return 1 < bus_time(run) - run.counted("dram_channel.data_bus") <= dram_cycles(run, way * len(run.units("dram_channel")))


def read_by_hits(run):
    hits, read = run.total("request_coalescer.hits"), run.total("request_coalescer.hit_bytes") * run.period("network")
    return read // run.number("request_coalescer.data_bandwidth") - hits, read // run.number("request_coalescer.data_bandwidth")


FORMULAS = {
    **resources_sm.FORMULAS,
    "request_coalescer.outputs": lambda run: run.total("request_coalescer.requests") * run.period("network"),
    "request_coalescer.paths": lambda run: run.total("request_coalescer.path_busy"),
    "request_coalescer.tag_ports": lambda run: run.total("request_coalescer.tag_lookups") * run.period("network"),
    "request_coalescer.data_array": read_by_hits,
    **of_both("crossbar.source_links", source_links),
    **of_both("crossbar.passing", passing),
    **of_both("crossbar.taking", taking),
    **of_both("crossbar.destination_links", lambda run, role: left_over(run, role, crossbar(run, role)["busy"])),
    **of_both("crossbar.output_queues", lambda run, role: crossbar(run, role)["output_queued"]["stay_fs"]),
    **of_routers("router.source_links", "busy_sources"),
    **of_routers("router.links", "busy_links"),
    **of_routers("router.exits", "busy_exits"),
    **of_both("flow_network.under_way", under_way),
    **of_both("flow_network.source_links", held_links),
    **of_both("flow_network.destination_links", held_links),
    "crossbar[request].outputs": request_exits,
    "rop.look_ups": lambda run: (run.total("rop.requests") + run.total("rop.recalls")) * run.period("l2"),
    "rop.pipe": lambda run: run.total("rop.busy"),
    "rop.word_turns": word_turns,
    "l2_slice.look_ups": look_ups,
    "l2_slice.read_ports": lambda run: array_port(run, "data_busy", *["write_busy"] * one_port(run)),
    "l2_slice.write_port": write_port,
    "l2_slice.far_recalls": lambda run: far_side(run, "far_recalls"),
    "l2_slice.request_link": lambda run: link(run, "reply_link"),
    "l2_slice.reply_link": lambda run: link(run, "request_link"),
    **of_both("half_link.link", half_links),
    "l2_slice.to_rop": to_rop,
    "pager.handler": fault_handler,
    "pager.link_in": lambda run: host_link(run, "pager.moves_in", "pager.bytes_in"),
    "pager.link_out": lambda run: host_link(run, "pager.moves_out", "pager.bytes_out"),
    "memory_switch.outputs": lambda run: run.total("memory_switch.requests") * run.period("l2"),
    "memory_cache.look_ups": lambda run: run.total("memory_cache.accesses") * run.cycles("memory_cache.lookup_interval", "l2"),
    "memory_cache.read_port": lambda run: run.total("memory_cache.read_busy"),
    "memory_cache.write_port": lambda run: run.total("memory_cache.write_busy"),
    "dram_channel.command_buses": command_buses,
    "dram_channel.activate_gap": lambda run: activates(run, max(run.number("dram.tRRD_S"), activate_slots(run))),
    "dram_channel.activates_of_4": lambda run: activates(run, run.number("dram.tFAW"), 4),
    "dram_channel.activates_of_32": lambda run: activates(run, run.number("dram.t32AW"), 32),
    "dram_channel.refresh": refreshes,
    "dram_channel.row_cycles": lambda run: activates(run, row_cycle(run), banks(run)),
    "dram_channel.bank_groups": lambda run: bursts(run, column_gap(run), run.number("dram.bank_groups")),
    "dram_channel.data_bus": data_bus,
}

# Places that are counted up to their capacity, so that nobody in them knows when he came: their formulas take the stays' place.
CLIPPED = {"l2_slice.far_recalls", *of_both("flow_network.under_way", under_way)}

# Servers whose formula gives (least, most) although nothing is under way, and why.
BOUNDED = {
    "request_coalescer.data_array": "what a hit reads takes a time that is rounded down to a fs",
    **of_both("half_link.link", "what a packet takes is rounded down to a fs"),
    "rop.word_turns": "turns on several words go on side by side, of which no statistic tells how many; test/units/rop/resources.c counts them exactly",
    "sm.register_waits": "waits of units of a part go on side by side, of which no statistic tells how many; test/units/sm/registers.c counts them",
    "l1.arbiter": "up to a cycle of each is left over where a look-up takes a part of one",
    **dict.fromkeys(("l1.miss_port", "l1.texture_port"), "of several that leave in an interval each takes its share in whole fs"),
    "load_store.addresses": "an atomic's lanes end at the next edge",
    "load_store.same_address": "a sum of fractions, each rounded to a fs; passes of atomics in shared memory are counted with the others",
    "texture.return_port": "groups of lanes take fractions, each rounded down to a fs",
    "pager.link_in": "moves end at an edge of the clock",
    "pager.link_out": "moves end at an edge of the clock",
    **of_both("crossbar.passing", "no statistic tells what heads wait for, and with speed-up turns begin anywhere; test/units/crossbar/resources.c counts it"),
    **of_both("crossbar.taking", "with speed-up turns begin anywhere in a cycle"),
}


def stays(resource, run):
    """Of a place's instances together. Those that were in it at either end of the region are taken to stay up to twice as long as others."""
    stayed, came, inside = (resource[member] for member in ("stayed_fs", "came", "inside"))
    slack = inside * (min(2 * stayed / came, run.length) if stayed and came else run.length)
    return stayed - slack, stayed + slack


def counts(name, resource, run):
    """Each second count that there is."""
    if resource["kind"] == "place" and name not in CLIPPED:
        yield stays(resource, run)
    if name in FORMULAS:
        yield FORMULAS[name](run)


def differs(second, time):
    slack = 1 + ROUNDING * time  # fs
    return not least(second) - slack <= time <= most(second) + slack


def is_exact(second, time):
    return most(second) - least(second) <= 1 + ROUNDING * time


def complaints_of(name, resource, run, tally):
    if not 0 <= resource["full"] <= 1 + ROUNDING:
        yield f"{name} was full {resource['full']} of the time"
    if resource["capacity"] and resource["mean"] > resource["capacity"] * (1 + ROUNDING):
        yield f"{name} holds {resource['mean']} of {resource['capacity']}"
    seconds, time = list(counts(name, resource, run)), run.counted(name)
    if not seconds:
        yield f"{name} has no second count: test/machines/resources.py"
    exact = any(is_exact(second, time) for second in seconds)
    tally.append((name, exact))
    if not exact and name not in {*BOUNDED, *CLIPPED} and not run.cut and not writes_run_out(run):
        yield f"{name}: its second count is no number, although nothing is under way"
    for second in seconds:
        if differs(second, time):
            yield f"{name}: {time:.0f} fs, and counted again {least(second):.0f} to {most(second):.0f}"
    if exact and not any(differs(second, time + run.period("dram")) for second in seconds):
        yield f"{name}: a cycle more would not be seen"


def check(result, seen, tally):
    """What is wrong; `seen` gets the names of what this result has, `tally` for each comparison its resource's name and whether it was exact."""
    run = Run(result)
    for unit, resources in result["resources"].items():
        for name, resource in resources.items():
            seen.add(f"{unit}.{name}")
            yield from complaints_of(f"{unit}.{name}", resource, run, tally)


def unseen(seen):
    """Rows of the tables that are about nothing."""
    return sorted(({*FORMULAS} | {*BOUNDED}) - seen)
