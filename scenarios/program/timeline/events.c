#include "scenarios/program/timeline/events.h"

#include "scenarios/program/say/json_text.h"

enum { FS_PER_NS = 1000000, FS_PER_US = 1000000000 };

static void append_fixed(GString *out, gint64 value, gint64 unit, int digits)
{
    g_string_append_printf(out, "%" G_GINT64_FORMAT ".%0*" G_GINT64_FORMAT, value / unit, digits,
                           value % unit);
}

void event_append_time(GString *out, gint64 fs)
{
    append_fixed(out, fs, FS_PER_US, 9);
}

void event_append_nanoseconds(GString *out, const char *name, gint64 fs)
{
    g_string_append_printf(out, "\"%s\":", name);
    append_fixed(out, fs, FS_PER_NS, 6);
}

void event_open_slice(GString *out, const char *name, gint64 process, gint64 thread, gint64 at,
                      gint64 length)
{
    g_string_append(out, "{\"ph\":\"X\",\"name\":");
    json_append_string(out, name);
    g_string_append_printf(
        out, ",\"pid\":%" G_GINT64_FORMAT ",\"tid\":%" G_GINT64_FORMAT ",\"ts\":", process, thread);
    event_append_time(out, at);
    g_string_append(out, ",\"dur\":");
    event_append_time(out, length);
}

void event_name_thread(GString *out, gint64 process, gint64 thread, const char *name)
{
    g_string_append_printf(out,
                           "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":%" G_GINT64_FORMAT
                           ",\"tid\":%" G_GINT64_FORMAT ",\"args\":{\"name\":\"%s\"}},\n",
                           process, thread, name);
}

void event_name_process(GString *out, gint64 process, const char *name, gint64 place)
{
    g_string_append_printf(out,
                           "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":%" G_GINT64_FORMAT
                           ",\"args\":{\"name\":\"%s\"}},\n",
                           process, name);
    g_string_append_printf(out,
                           "{\"ph\":\"M\",\"name\":\"process_sort_index\",\"pid\":%" G_GINT64_FORMAT
                           ",\"args\":{\"sort_index\":%" G_GINT64_FORMAT "}},\n",
                           process, place);
}
