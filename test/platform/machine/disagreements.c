/* Keys that do not agree: the one that was set last is what a user has just done, and comes first,
 * and what the message is about stands behind it. */
#include "rigs/harness.h"
#include "rigs/small_machine.h"

/* What was set before, and last, of a V100. */
static const struct {
    const char *before, *last;
} rows[] = {
    {"", "l2_slice.ways = 7"},
    {"l2_slice.capacity = 24832 B", "machine.line_bytes = 256 B"},
    {"l2_slice.fill_bytes = 64 B", "machine.sector_bytes = 128 B"},
    {"", "machine.l2_line_bytes = 2 B"},
    {"", "machine.l2_line_bytes = 512 B"},
    {"l2_slice.written_data = store_queue", "l2_slice.completion = blocking"},
    {"l2_slice.clean_ahead = row", "l2_slice.written_data = store_queue"},
    {"l2_slice.clean_ahead = row", "l2_slice.completion = blocking"},
    {"l2_slice.completion = in_order", "machine.l2_halves = 2"},
    {"l2_slice.store_data_sectors = 4", "machine.sector_bytes = 16 B"},
    {"machine.memory_caches = yes", "memory_cache.ways = 7"},
    {"machine.request_coalescers = 2; request_coalescer.capacity = 16 KiB",
     "request_coalescer.ways = 7"},
    {"", "rop.ways = 7"},
    {"rop.cache_entries = 0", "rop.compression = yes"},
    {"texture.cache = own", "texture.sets = 5"},
    {"texture.cache = own", "texture.caches = 5"},
    {"texture.cache = own; texture.caches = 2", "texture.set_index = polynomial"},
    {"texture.cache = own; load_store.through_texture = everything", "texture.cache = l1"},
    {"l1.global_write = back", "l1.cached = local_only"},
    {"", "access_scheduler.write_entries = 8"},
    {"", "access_scheduler.drain_low = 40"},
    {"access_scheduler.horizon = 60 cycles", "dram.tRP = 200 cycles"},
    {"access_scheduler.policy = fr_fcfs_age; access_scheduler.patience = 10 cycles",
     "access_scheduler.policy = fr_fcfs"},
    {"access_scheduler.policy = fr_fcfs", "access_scheduler.policy = fr_fcfs_age"},
    {"", "dram.burst_length = 32"},
    {"", "dram.channel_width = 64 B"},
    {"", "dram.tCCD_S = 9 cycles"},
    {"dram.tRTW = 1 cycle", "dram.CL = 60 cycles"},
    {"dram.tRFCpb = 1690 cycles", "dram.tRP = 200 cycles"},
    {"dram.refresh = all_bank; dram.tREFI = 500 cycles", "dram.tRFC = 400 cycles"},
    {"dram.ecc_share = 64", "dram.ecc = inline"},
    {"dram.tRP = 200 ns", "machine.dram_clock = 10 GHz"},
    {"channels.dram_to_l2 = 100 us", "machine.dram_clock = 10 GHz"},
    {"machine.peak_bandwidth_gbps = 112", "machine.dram_clock = 1100 MHz"},
    {"", "sm.schedulers = 3"},
    {"", "sm.texture_sharing = scheduler"},
    {"sm.texture_units = 3; sm.texture_sharing = scheduler", "sm.schedulers = 2"},
    {"address_map.partition_bytes = 1 KiB", "address_map.granularity = 4 KiB"},
    {"address_map.partition_bytes = 1 KiB", "machine.slices_per_partition = 3"},
    {"mmu.tlb_ways = 4", "mmu.tlb_entries = 7"},
    {"l1.tlb_ways = 4", "l1.tlb_entries = 7"},
    {"pages.frames = scattered; pages.memory_bytes = 6 MiB", "pages.page_bytes = 4 MiB"},
    {"paging.mode = demand", "paging.page_bytes = 4 MiB"},
    {"paging.mode = demand; paging.memory_bytes = 64 MiB", "dram.rows = 16"},
    {"machine.channels_per_partition = 2", "machine.slices_per_partition = 3"},
    {"", "machine.l2_halves = 3"},
    {"", "first_level.array = 64 KiB"},
    {"", "first_level.reserved = 64 KiB"},
    {"l1.sets = 256", "l1.ways = 0"},
    {"first_level.array = 0 B; l1.capacity = 32 KiB", "first_level.array = 128 KiB"},
    {"network.topology = dies; network.dies = 3", "machine.sms = 2"},
    {"network.topology = dies; network.dies = 3", "machine.partitions = 1"},
    {"network.topology = mesh", "machine.partitions = 700"},
    {"machine.sms = 80; network.virtual_channels = 1", "network.topology = torus"},
    {"simulation.deployment = sm", "network.timing = flow"},
    {"", "network.slice_places = "},
    {"simulation.threads = 2", "simulation.deployment = sm"},
    {"simulation.timeline = 5; simulation.timeline_from = 1 ns", "simulation.timeline = 0"},
};

START_TEST(the_one_that_was_set_last_is_named_first)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(Configuration) configuration = configuration_new();
    small_machine_read(configuration, "platform/presets/v100.ini");
    small_machine_set(configuration, "machine.sms = 4; machine.partitions = 4;"
                                     "machine.peak_bandwidth_gbps = 0");
    small_machine_set(configuration, rows[_i].before);
    small_machine_set(configuration, rows[_i].last);
    ck_assert_msg(!machine_check(configuration, &error), "%s", rows[_i].last);
    g_autofree char *first = g_strdup_printf("--set: %s, with ", rows[_i].last);
    ck_assert_msg(g_str_has_prefix(error->message, first), "%s", error->message);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("disagreements");
    tcase_add_loop_test(cases, the_one_that_was_set_last_is_named_first, 0, G_N_ELEMENTS(rows));
    return harness_run_cases("disagreements", cases);
}
