// The layered layout of boxes: layers, cycles, no overlaps.
#include "unit.h"

#include "view/lane/layout.h"

enum { WIDTH = 40, HEIGHT = 20, MAX_BOXES = 8 };

static struct otter_box boxes[MAX_BOXES];

static void place(uint32_t n, const struct otter_box_edge *edges, uint32_t n_edges)
{
    for (uint32_t i = 0; i < n; i++) {
        boxes[i] = (struct otter_box){.width = WIDTH, .height = HEIGHT};
    }
    otter_layout(boxes, n, edges, n_edges);
}

static void expect_no_overlaps(uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < i; k++) {
            const struct otter_box *a = &boxes[i], *b = &boxes[k];
            assert_true(a->x + a->width < b->x || b->x + b->width < a->x ||
                        a->y + a->height < b->y || b->y + b->height < a->y);
        }
    }
}

static void a_box_is_below_all_its_predecessors(void **state)
{
    static const struct otter_box_edge edges[] = {{0, 1}, {1, 2}, {0, 2}, {3, 2}};
    place(4, edges, 4);
    assert_int_equal(boxes[0].layer, 0);
    assert_int_equal(boxes[1].layer, 1);
    assert_int_equal(boxes[2].layer, 2);
    for (unsigned i = 0; i < 4; i++) {
        assert_true(boxes[edges[i].from].y + HEIGHT < boxes[edges[i].to].y);
    }
    expect_no_overlaps(4);
}

static void an_edge_that_closes_a_cycle_leads_upwards(void **state)
{
    static const struct otter_box_edge edges[] = {{0, 1}, {1, 2}, {2, 0}};
    place(3, edges, 3);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(boxes[i].layer, i);
    }
    expect_no_overlaps(3);
}

static void boxes_stand_below_their_predecessors_without_crossings(void **state)
{
    static const struct otter_box_edge edges[] = {{0, 1}, {0, 2}, {1, 4}, {2, 3}};
    place(5, edges, 4);
    assert_int_equal(boxes[1].x < boxes[2].x, boxes[4].x < boxes[3].x);
    expect_no_overlaps(5);
}

static void the_smallest_coordinates_are_zero(void **state)
{
    static const struct otter_box_edge edges[] = {{0, 1}, {0, 2}, {0, 3}};
    place(4, edges, 3);
    double x = boxes[0].x, y = boxes[0].y;
    for (uint32_t i = 1; i < 4; i++) {
        x = boxes[i].x < x ? boxes[i].x : x;
        y = boxes[i].y < y ? boxes[i].y : y;
    }
    assert_true(x == 0 && y == 0);
    otter_layout(boxes, 0, NULL, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_is_below_all_its_predecessors),
        cmocka_unit_test(an_edge_that_closes_a_cycle_leads_upwards),
        cmocka_unit_test(boxes_stand_below_their_predecessors_without_crossings),
        cmocka_unit_test(the_smallest_coordinates_are_zero),
    };
    return cmocka_run_group_tests_name("layout of boxes", tests, NULL, NULL);
}
