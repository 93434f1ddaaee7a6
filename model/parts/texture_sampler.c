#include "parts/texture_sampler.h"
