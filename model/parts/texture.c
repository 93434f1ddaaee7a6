#include "parts/texture.h"
