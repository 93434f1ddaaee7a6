"""What the resources of a result did and held, counted a second time from its other statistics and its parameters.

A formula gives the time of all instances together, in fs: of a server what its work takes (bytes over the rate, pieces x interval), of a place
what all that were in it stayed (Little's law). It is a number, which has to be met to the last cycle, or (least, most) where the statistics do not
say it exactly: mostly because something was under way when the region of interest began or ended. None says that there is no second count.
"""

import re

FACTORS = {"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40, "kHz": 10**3, "MHz": 10**6, "GHz": 10**9}
ROUNDING = 1e-9  # of the region's length: use, mean and full are shares of it


class Run:
    """A result.json, and how to ask it."""

    def __init__(self, result):
        self.result = result
        self.length = result["profile"]["series"]["span"]

    def number(self, key):
        """"l2_slice.lookup_interval" of "2 cycles": 2; "dram.row_bytes" of "1 KiB": 1024."""
        group, name = key.split(".")
        match = re.match(r"([0-9.]+)\s*([A-Za-z]*)", self.result["parameters"][group][name])
        value = float(match[1]) if "." in match[1] else int(match[1])
        return value * FACTORS.get(match[2], 1)

    def text(self, key):
        group, name = key.split(".")
        return self.result["parameters"][group][name]

    def period(self, domain):
        """Of "core", "l2", "network" or "dram", in fs."""
        return round(1e15 / self.number(f"machine.{domain}_clock"))

    def cycles(self, key, domain):
        return self.number(key) * self.period(domain)

    def total(self, statistic):
        """"l2_slice.accesses" of all slices."""
        name, field = statistic.split(".")
        return self.result["units"].get(name, {"total": {}})["total"].get(field, 0)

    def units(self, name):
        return self.result["units"].get(name, {"instances": []})["instances"]

    def stay(self, level):
        """The sum of all stays in "l2_slice.queue"."""
        return (self.total(level) or {"stay_fs": 0})["stay_fs"]

    def arrivals(self, level):
        return (self.total(level) or {"arrivals": 0})["arrivals"]


# --- channels: a place is taken when its message is sent and free when the receiver's credit has come -----------------

def request_exits(run):
    """Crossbar to L2: on the link, on the wire, in front of the slice, and back; other clocks round up."""
    requests, queued = run.units("crossbar")[0], run.stay("l2_slice.queue")
    wire = 2 * run.cycles("network.request_destination_latency", "network")
    time = with_edges(run, requests["busy"] + requests["packets"] * wire, requests["packets"], "network", "l2")
    if run.number("machine.l2_halves") == 2:  # the queue has requests of the other half as well
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


FORMULAS = {
    "crossbar[request].outputs": request_exits,
    "l2_slice.to_rop": to_rop,
    # when a message leaves, and how long it waits in its port, is in no statistic
    "l1.to_mmu": None,
    "l1.to_request_network": None,
    "l2_slice.to_far_requests": None,
    "l2_slice.to_reply_network": None,
    "l2_slice.to_scheduler": None,
    "load_store.to_l1": None,
    "load_store.to_texture": None,
    "rop.to_l2": None,
    "router[reply].outputs": None,
    "router[request].outputs": None,
    "sm.to_load_store": None,
    "sm.to_texture": None,
    "texture.to_l1": None,
    "texture.to_l1_misses": None,
}

def counted(resource, length):
    return resource["mean"] * resource["instances"] * length


def complaints_of(name, resource, run):
    if not 0 <= resource["full"] <= 1 + ROUNDING:
        yield f"{name} was full {resource['full']} of the time"
    if resource["capacity"] and resource["mean"] > resource["capacity"] * (1 + ROUNDING):
        yield f"{name} holds {resource['mean']} of {resource['capacity']}"
    if name not in FORMULAS:
        yield f"{name} has no row in test/machines/resources.py"
    elif FORMULAS[name]:
        expected, time = FORMULAS[name](run), counted(resource, run.length)
        slack = ROUNDING * run.length * resource["instances"]
        if not least(expected) - slack <= time <= most(expected) + slack:
            yield f"{name}: {time:.0f} fs, and by its other statistics {least(expected):.0f} to {most(expected):.0f}"


def check(result, seen):
    """What is wrong; `seen` gets the names of what this result has."""
    run = Run(result)
    for unit, resources in result["resources"].items():
        for name, resource in resources.items():
            seen.add(f"{unit}.{name}")
            yield from complaints_of(f"{unit}.{name}", resource, run)


def unseen(seen):
    """Rows of the table that are about nothing."""
    return sorted(set(FORMULAS) - seen)
