/* Reports of results that lack a member, as one of another version may: cells stay empty. */
#include <json-glib/json-glib.h>

#include "program/report/run/rig.h"
#include "rigs/harness.h"
#include "scenarios/program/say/json_text.h"

/* What the page says of a member that is not there. */
static const char *const senseless[] = {
    "(null)", "-nan", " nan", "9223372036854775808", "8000000000000000", "ffffffffffffffff"};

static void expect_sense(JsonNode *result, const char *missing)
{
    g_autoptr(JsonNode) report = report_of(result);
    g_autofree char *text = json_text(report);
    for (guint i = 0; i < G_N_ELEMENTS(senseless); i++)
        ck_assert_msg(!strstr(text, senseless[i]), "without %s: %s", missing, senseless[i]);
}

static void leave_out_each(JsonNode *result, JsonNode *node);

static void leave_out_of_object(JsonNode *result, JsonObject *object)
{
    g_autoptr(GList) names = json_object_get_members(object);
    for (GList *name = names; name; name = name->next) {
        g_autofree char *member = g_strdup(name->data);
        JsonNode *value = json_node_copy(json_object_get_member(object, member));
        json_object_remove_member(object, member);
        expect_sense(result, member);
        json_object_set_member(object, member, value);
        leave_out_each(result, value);
    }
}

/* Of the elements of an array the first stands for all. */
static void leave_out_each(JsonNode *result, JsonNode *node)
{
    if (JSON_NODE_HOLDS_OBJECT(node)) leave_out_of_object(result, json_node_get_object(node));
    if (JSON_NODE_HOLDS_ARRAY(node) && json_array_get_length(json_node_get_array(node)))
        leave_out_each(result, json_array_get_element(json_node_get_array(node), 0));
}

START_TEST(a_report_makes_sense_whatever_member_is_missing)
{
    g_autoptr(JsonNode) result = fixture();
    g_log_set_always_fatal(G_LOG_LEVEL_CRITICAL | G_LOG_LEVEL_WARNING);
    expect_sense(result, "nothing");
    leave_out_each(result, result);
}
END_TEST

HARNESS_MAIN("missing", a_report_makes_sense_whatever_member_is_missing)
