"""A Slurm of several nodes on this machine, for tests: no systemd, no cgroups, no
accounting, nothing outside its folder. Each node is a slurmd of its own port.
"""

import getpass
import os
import shutil
import signal
import socket
import subprocess
import time

# Of Debian's packages slurm-wlm and munge.
PROGRAMS = ("slurmctld", "slurmd", "sbatch", "squeue", "scontrol", "sinfo", "munged", "mungekey")
SECONDS = 30


def program(name):
    """Its path, or None; the daemons are in folders that users do not search."""
    return shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")


def missing_programs():
    return [name for name in PROGRAMS if not program(name)]


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def host_is_loopback():
    """Whether daemons that listen where the host's name leads are those that 127.0.0.1 reaches."""
    try:
        return socket.gethostbyname(socket.gethostname()) == "127.0.0.1"
    except OSError:
        return False


class LoopbackSlurm:
    """Use as a context; `environment` is what its commands need."""

    def __init__(self, folder, nodes, cpus):
        self.folder, self.nodes, self.cpus = folder, nodes, cpus
        self.environment = dict(os.environ, SLURM_CONF=os.path.join(folder, "slurm.conf"))

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def names(self):
        return [f"n{i + 1}" for i in range(self.nodes)]

    def configuration(self):
        """Nodes count as down after 5 s of silence; jobs that ran there are queued again."""
        host, user = socket.gethostname().split(".")[0], getpass.getuser()
        control, *ports = free_ports(1 + self.nodes)
        settings = {
            "ClusterName": "loopback",
            "SlurmctldHost": f"{host}(127.0.0.1)",
            "SlurmctldPort": control,
            "SlurmUser": user,
            "SlurmdUser": user,
            "AuthType": "auth/munge",
            "AuthInfo": "socket=" + self.path("munge", "socket"),
            "CredType": "cred/munge",
            "SlurmctldPidFile": self.path("slurmctld.pid"),
            "SlurmdPidFile": self.path("slurmd.%n.pid"),
            "StateSaveLocation": self.path("state"),
            "SlurmdSpoolDir": self.path("spool.%n"),
            "SlurmctldLogFile": self.path("slurmctld.log"),
            "SlurmdLogFile": self.path("slurmd.%n.log"),
            "ProctrackType": "proctrack/linuxproc",
            "TaskPlugin": "task/none",
            "JobAcctGatherType": "jobacct_gather/none",
            "AccountingStorageType": "accounting_storage/none",
            "JobCompType": "jobcomp/none",
            "SwitchType": "switch/none",
            "MpiDefault": "none",
            "ReturnToService": 2,
            "SlurmdTimeout": 5,
            "KillWait": 2,
            "JobRequeue": 1,
            "SelectType": "select/cons_tres",
            "SelectTypeParameters": "CR_CPU",
            "SchedulerParameters": "batch_sched_delay=0,sched_min_interval=0,sched_interval=1",
        }
        if host_is_loopback():
            settings["CommunicationParameters"] = "NoCtldInAddrAny,NoInAddrAny"
        lines = [f"{key}={value}" for key, value in settings.items()]
        for name, port in zip(self.names(), ports):
            lines.append(f"NodeName={name} NodeHostname={host} NodeAddr=127.0.0.1 Port={port} "
                         f"CPUs={self.cpus} State=UNKNOWN")
        lines.append(f"PartitionName=loopback Nodes={','.join(self.names())} Default=YES "
                     "MaxTime=INFINITE State=UP")
        return "\n".join(lines) + "\n"

    def write_cgroup_configuration(self):
        """Without control groups, as in a bare container, slurmd ends while it looks for their version.
        Nothing here uses them, so a version that is named will do."""
        if not os.path.ismount("/sys/fs/cgroup"):
            with open(self.path("cgroup.conf"), "w", encoding="utf-8") as file:
                file.write("CgroupPlugin=cgroup/v1\n")

    def call(self, name, *arguments):
        """What the command prints."""
        return subprocess.run([program(name), *arguments], env=self.environment, check=True,
                              capture_output=True, text=True, timeout=SECONDS).stdout.strip()

    def start_munge(self):
        munge = self.path("munge")
        os.mkdir(munge, 0o711)
        os.chmod(munge, 0o711)
        key = os.path.join(munge, "key")
        self.call("mungekey", "-c", "-k", key)
        options = {"key-file": "key", "socket": "socket", "pid-file": "pid", "log-file": "log",
                   "seed-file": "seed"}
        self.call("munged", *(f"--{option}={os.path.join(munge, file)}"
                              for option, file in options.items()))

    def start_node(self, name):
        self.call("slurmd", "-N", name)

    def __enter__(self):
        try:
            self.start()
        except Exception:
            self.stop()
            raise
        return self

    def start(self):
        os.chmod(self.folder, 0o755)
        self.start_munge()
        os.mkdir(self.path("state"))
        for name in self.names():
            os.mkdir(self.path("spool." + name))
        with open(self.environment["SLURM_CONF"], "w", encoding="utf-8") as file:
            file.write(self.configuration())
        self.write_cgroup_configuration()
        self.call("slurmctld", "-c")
        for name in self.names():
            self.start_node(name)
        self.wait(lambda: self.states().count("idle") == self.nodes, "its nodes are up")

    def states(self):
        return self.call("sinfo", "--noheader", "--Node", "--format=%T").split()

    def wait(self, condition, what, seconds=SECONDS):
        end = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > end:
                raise TimeoutError(f"Slurm: waited {seconds} s until {what}")
            time.sleep(0.1)

    def read_pid(self, file):
        try:
            with open(self.path(file), encoding="utf-8") as text:
                return int(text.read())
        except (OSError, ValueError):
            return None

    def take_down(self, name):
        """As if the node's plug were pulled: its daemon and all it has started die, and none lives to tell of another's end."""
        jobs = [int(entry) for entry in os.listdir("/proc") if entry.isdigit() and self.runs_on(entry, name)]
        watchers = {parent for parent in map(self.parent_of, jobs) if parent and self.watches(parent)}
        for pid in filter(None, [self.read_pid(f"slurmd.{name}.pid"), *watchers, *jobs]):
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass

    def runs_on(self, pid, name):
        """Whether the process is a job's on that node."""
        values = self.read(pid, "environ").split(b"\0")
        return (b"SLURM_CONF=" + self.environment["SLURM_CONF"].encode() in values
                and b"SLURMD_NODENAME=" + name.encode() in values)

    def watches(self, pid):
        return self.read(pid, "cmdline").startswith(b"slurmstepd")

    def parent_of(self, pid):
        fields = self.read(pid, "stat").rpartition(b")")[2].split()
        return int(fields[1]) if fields else 0

    @staticmethod
    def read(pid, what):
        """Of a process that may be gone: nothing, then."""
        try:
            with open(f"/proc/{pid}/{what}", "rb") as file:
                return file.read()
        except OSError:
            return b""

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        for pid in self.daemons():
            try:
                os.kill(pid, signal.SIGTERM)
            except ProcessLookupError:
                pass
        self.wait_for_the_end_of(self.daemons)
        munge = self.read_pid("munge/pid")
        if munge:
            os.kill(munge, signal.SIGTERM)
            self.wait_for_the_end_of(lambda: [munge])  # it still writes into the folder that is removed next

    @staticmethod
    def wait_for_the_end_of(daemons):
        end = time.monotonic() + SECONDS
        while any(os.path.exists(f"/proc/{pid}") for pid in daemons()):
            if time.monotonic() > end:
                break
            time.sleep(0.05)

    def daemons(self):
        files = ["slurmctld.pid", *(f"slurmd.{name}.pid" for name in self.names())]
        return [pid for pid in map(self.read_pid, files) if pid]
