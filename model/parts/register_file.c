#include "parts/register_file.h"

#include <string.h>

void register_file_init(RegisterFile *file, const RegisterFileShape *shape)
{
    *file = (RegisterFile){.shape = *shape};
}

/* The block's place in `order`; its base in `base`. First fit: the lowest gap. */
static bool find_gap(const RegisterFile *file, uint32_t size, uint32_t *base, uint32_t *place)
{
    *base = 0;
    for (*place = 0; *place < file->blocks; (*place)++) {
        const uint32_t next = file->order[*place];
        if (file->base[next] - *base >= size) return true;
        *base = file->base[next] + file->size[next];
    }
    return file->shape.entries - *base >= size;
}

static bool allocate_fixed(RegisterFile *file, uint32_t warp, uint32_t registers)
{
    if (registers > file->shape.share) return false;
    file->base[warp] = warp * file->shape.share;
    file->size[warp] = file->shape.share;
    return true;
}

static bool allocate_mapped(RegisterFile *file, uint32_t warp, uint32_t registers)
{
    const uint32_t granularity = file->shape.granularity;
    const uint32_t size = (registers + granularity - 1) / granularity * granularity;
    uint32_t base, place;
    if (!find_gap(file, size, &base, &place)) return false;
    file->base[warp] = base;
    file->size[warp] = size;
    memmove(file->order + place + 1, file->order + place, file->blocks - place);
    file->order[place] = (uint8_t)warp;
    file->blocks++;
    return true;
}

bool register_file_allocate(RegisterFile *file, uint32_t warp, uint32_t registers)
{
    const bool placed = file->shape.share ? allocate_fixed(file, warp, registers)
                                          : allocate_mapped(file, warp, registers);
    if (placed) file->allocated += file->size[warp];
    return placed;
}

void register_file_release(RegisterFile *file, uint32_t warp)
{
    file->allocated -= file->size[warp];
    if (file->shape.share) return;
    uint32_t place = 0;
    while (file->order[place] != warp) place++;
    file->blocks--;
    memmove(file->order + place, file->order + place + 1, file->blocks - place);
}

uint32_t register_file_conflicts(const RegisterFile *file, uint32_t warp, const uint8_t *registers,
                                 uint32_t count)
{
    uint8_t reads[REGISTER_FILE_BANKS] = {0};
    uint32_t most = 1;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t bank = (file->base[warp] + registers[i]) % file->shape.banks;
        reads[bank]++;
        if (reads[bank] > most) most = reads[bank];
    }
    return (most + file->shape.reads_per_bank - 1) / file->shape.reads_per_bank - 1;
}
