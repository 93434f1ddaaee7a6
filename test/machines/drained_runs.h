/* What runs to its end, for invariants.c: many mechanisms, each with little room. */
#pragma once

/* Textures through L1, and with a cache of their own. */
#define OWN_CACHE "texture.cache = own; texture.capacity = 2 KiB;"

/* One launch each, or a short gap would let the first reach into the second's statistics. */
static const char *const runs[] = {
    "workload.pattern = stream; workload.operation = read; workload.array_bytes = 96 KiB;"
    "workload.threads_per_cta = 128",
    "workload.pattern = stream; workload.operation = triad; workload.array_bytes = 96 KiB;"
    "workload.threads_per_cta = 256; workload.launches = 2; workload.warm_up_launches = 1",
    "workload.pattern = stream; workload.operation = scale; workload.array_bytes = 64 KiB;"
    "workload.element_bytes = 4 B; workload.base = 4 B; workload.alignment = 4 B;"
    "workload.threads_per_cta = 64; l1.prt_entries = 6; l1.prt_merges = 1;"
    "l2_slice.pending_entries = 5; l2_slice.pending_merges = 1; network.l2_input_buffer = 3",
    "workload.pattern = pointer_chase; workload.working_set = 64 KiB; workload.loads = 500",
    "workload.pattern = random; workload.ctas = 12; workload.iterations = 6; workload.footprint = "
    "256 KiB; workload.operation = load_store; network.input_buffer = 80",
    "workload.pattern = random; workload.ctas = 8; workload.iterations = 4; workload.footprint = "
    "2 KiB; l1.prt_merges = 4; l2_slice.pending_merges = 3",
    "workload.pattern = strided; workload.ctas = 6; workload.lane_stride = 100 B;"
    "workload.footprint = 1 MiB; machine.l2_clock = 1200 MHz; machine.network_clock = 900 MHz;"
    "channels.scheduler_input_queue = 3",
    "workload.pattern = random; workload.ctas = 8; workload.iterations = 4; workload.footprint = "
    "64 KiB; l1.cached = none; machine.line_bytes = 64 B; address_map.granularity = 64 B",
    "workload.pattern = random; workload.ctas = 8; workload.iterations = 4; workload.footprint = "
    "8 KiB; workload.operation = atomic",
    "workload.pattern = random; workload.ctas = 8; workload.iterations = 4; workload.footprint = "
    "8 KiB; workload.operation = atomic; rop.cache_entries = 2; rop.ways = 1; rop.interval = 3 "
    "cycles; rop.pending_entries = 2; channels.rop_output_queue = 4; channels.rop_input_queue = 1",
    "workload.pattern = random; workload.ctas = 8; workload.iterations = 4; workload.footprint = "
    "8 KiB; workload.operation = atomic; rop.cache_entries = 0",
    "workload.pattern = program; workload.ctas = 6; workload.threads_per_cta = 64; workload.code = "
    "global c[1]\nfor i in 0..4 {\nif thread == 0 {\nx = atomic c[0]\n"
    "wait c[0] >= (i + 1) * ctas\n}\nbarrier\n}",
    "workload.pattern = program; workload.ctas = 6; workload.threads_per_cta = 64; workload.code = "
    "global c[1024]\nfor i in 0..8 {\nreduce c[(lane * 9 + i) % 1024]\n}",
    "workload.pattern = random; workload.ctas = 12; workload.iterations = 6; workload.footprint = "
    "256 KiB; workload.operation = load_store; mmu.enabled = yes; l1.tlb_entries = 4;"
    "l1.tlb_entry_bytes = 4 KiB; l1.tlb_pending = 4; mmu.tlb_entries = 8; mmu.miss_entries = 4;"
    "mmu.tlb_entry_bytes = 16 KiB; mmu.walkers = 2; pages.frames = scattered",
    "workload.pattern = strided; workload.ctas = 6; workload.operation = store;"
    "workload.element_bytes = 1 B; workload.layout = given; workload.lane_stride = 3 B;"
    "workload.iteration_stride = 96 B;"
    "workload.warp_stride = 2 KiB; workload.footprint = 256 KiB",
    "workload.pattern = random; workload.ctas = 12; workload.iterations = 6; workload.footprint = "
    "256 KiB; workload.operation = load_store; l2_slice.completion = in_order;"
    "l2_slice.reply_entries = 8; l2_slice.load_queue_entries = 3; l2_slice.array_ports = 1RW;"
    "l2_slice.written_data = store_queue; l2_slice.store_queue_entries = 3;"
    "l2_slice.store_queue_threshold = 1; channels.scheduler_input_queue = 2",
    "workload.pattern = random; workload.ctas = 12; workload.iterations = 6; workload.footprint = "
    "256 KiB; workload.operation = load_store; workload.element_bytes = 2 B;"
    "l2_slice.written_data = line; l2_slice.partial_write = mask; machine.line_bytes = 512 B;"
    "address_map.granularity = 512 B; l2_slice.array_ports = 2R1W",
    "workload.pattern = strided; workload.ctas = 6; workload.operation = store;"
    "workload.element_bytes = 1 B; workload.layout = given; workload.lane_stride = 3 B;"
    "workload.iteration_stride = 96 B;"
    "workload.warp_stride = 2 KiB; workload.footprint = 256 KiB; l2_slice.completion = blocking;"
    "l2_slice.partial_write = bypass; machine.line_bytes = 32 B; l2_slice.fill_bytes = 32 B",
    "workload.pattern = random; workload.ctas = 6; workload.iterations = 4; workload.footprint = "
    "8 KiB; workload.operation = atomic; l2_slice.completion = blocking; rop.cache_entries = 2;"
    "rop.ways = 1",
    "workload.pattern = random; workload.ctas = 12; workload.iterations = 6; workload.footprint = "
    "256 KiB; workload.operation = load_store; workload.element_bytes = 1 B;"
    "l2_slice.written_data = store_queue; l2_slice.partial_write = bypass;"
    "machine.line_bytes = 256 B; l2_slice.completion = in_order; l2_slice.load_queue_entries = 8",
    "workload.pattern = random; workload.ctas = 12; workload.iterations = 6; workload.footprint = "
    "256 KiB; workload.operation = load_store; crossbar.queueing = virtual_output;"
    "crossbar.arbitration = islip; crossbar.speedup = 2; crossbar.output_buffer = 2;"
    "network.l2_input_buffer = 3",
    "workload.pattern = random; workload.ctas = 12; workload.iterations = 6; workload.footprint = "
    "256 KiB; workload.operation = load_store; network.ideal = both; l1.ideal_banks = yes;"
    "dram.ideal = timing; network.l2_input_buffer = 3",
    "workload.pattern = random; workload.ctas = 8; workload.iterations = 4; workload.footprint = "
    "8 KiB; workload.operation = atomic; network.ideal = replies; dram.ideal = bandwidth",
    "workload.pattern = random; workload.ctas = 12; workload.iterations = 6; workload.footprint = "
    "16 KiB; workload.operation = load_store; network.ideal = both; l2_slice.array_ports = 1RW;"
    "l2_slice.lookups_per_interval = 3; l2_slice.lookup_interval = 2 cycles;"
    "l2_slice.data_ports = 3; l2_slice.clean_ahead = row",
    "workload.pattern = random; workload.ctas = 8; workload.iterations = 4; workload.footprint = "
    "8 KiB; workload.operation = atomic; network.ideal = both; rop.pipelines = 3; rop.lanes = 16;"
    "l2_slice.lookups_per_interval = 64; l2_slice.data_ports = 64; channels.rop_output_queue = 4",
    "workload.pattern = offered_load; workload.load = 90 %; workload.write_share = 40 %;"
    "workload.order = random; workload.duration = 1200 cycles; workload.settle = 300 cycles;"
    "workload.probe_bytes = 64 KiB; workload.array_bytes = 256 KiB",
    "workload.pattern = random; workload.ctas = 12; workload.iterations = 6; workload.footprint = "
    "256 KiB; workload.operation = load_store; workload.element_bytes = 1 B;"
    "l1.global_write = back; l1.global_allocate = yes; l1.capacity = 2 KiB; l1.sets = 1;"
    "l1.write_buffer_entries = 1; l1.array_ports = 1RW; l2_slice.partial_write = mask",
    "workload.pattern = random; workload.ctas = 12; workload.iterations = 6; workload.footprint = "
    "16 KiB; workload.operation = load_store; workload.element_bytes = 1 B; mmu.enabled = yes;"
    "l1.global_write = back; l1.global_allocate = partial; l1.global_partial = fetch_first;"
    "l1.tlb_entries = 4; l1.tlb_entry_bytes = 4 KiB; l1.tlb_pending = 2; l1.prt_entries = 4;"
    "l1.write_buffer_entries = 2; l1.miss_replay = yes; l2_slice.partial_write = bypass",
    "texture.cache = l1",
    "texture.cache = l1; l1.prt_entries = 4; l1.replay_entries = 2; l1.capacity = 2 KiB;"
    "channels.texture_to_l1_queue = 1; texture.fragment_fifo = 3; mmu.enabled = yes;"
    "l1.tlb_entries = 4; l1.tlb_entry_bytes = 4 KiB; l1.tlb_pending = 4; l1.tag_banks = 2;"
    "texture.quads = 2; l1.return_order = in_order",
    OWN_CACHE,
    "texture.cache = l1; machine.warp_lanes = 64; machine.line_bytes = 64 B;"
    "address_map.granularity = 64 B",
    OWN_CACHE
    "texture.fragment_fifo = 5; texture.miss_fifo = 1; texture.reorder_entries = 3;"
    "channels.texture_to_l1_queue = 1; network.input_buffer = 80; network.l2_input_buffer = 3",
    OWN_CACHE "texture.requests_per_cycle = 3; texture.fill_ports = 3; texture.return_ports = 3;"
              "cta_dispatcher.launches_per_interval = 3",
    OWN_CACHE "mmu.enabled = yes; l1.tlb_entries = 4; l1.tlb_entry_bytes = 4 KiB;"
              "l1.tlb_pending = 2; mmu.tlb_entries = 8; mmu.miss_entries = 4; mmu.walkers = 2;"
              "pages.frames = scattered; texture.run_ahead = no",
    "machine.warp_lanes = 64; workload.pattern = random; workload.ctas = 8; workload.iterations = "
    "4; workload.threads_per_cta = 160; workload.footprint = 64 KiB; workload.operation = "
    "load_store; machine.line_bytes = 64 B; address_map.granularity = 64 B",
    "workload.pattern = random; workload.ctas = 12; workload.iterations = 6; workload.footprint = "
    "256 KiB; workload.operation = load_store; workload.element_bytes = 2 B;"
    "machine.line_bytes = 64 B; machine.l2_line_bytes = 256 B; machine.l2_sector_bytes = 16 B;"
    "address_map.granularity = 256 B; l2_slice.written_data = store_queue;"
    "l2_slice.partial_write = mask",
    "workload.pattern = program; workload.ctas = 6; workload.threads_per_cta = 64; workload.code = "
    "global c[32]\nfor i in 0..4 {\nif thread == 0 {\nx = atomic c[25]\n"
    "wait c[25] >= (i + 1) * ctas\n}\nbarrier\n}; machine.line_bytes = 32 B;"
    "machine.l2_line_bytes = 128 B; rop.cache_entries = 2; rop.ways = 1",
    OWN_CACHE "machine.line_bytes = 64 B; machine.l2_line_bytes = 512 B;"
              "address_map.granularity = 512 B; l2_slice.fill_bytes = 128 B",
};
