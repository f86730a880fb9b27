"""The validators' classifier: simulator, training, integer graph, report.

Results must not depend on the machine, so the choices that numerical libraries make by the CPU's kind or its
number of cores are fixed here, before numpy is loaded.
"""

import os

os.environ.update(
    OPENBLAS_CORETYPE="Haswell",
    OPENBLAS_NUM_THREADS="1",
    OMP_NUM_THREADS="1",
    NPY_DISABLE_CPU_FEATURES="X86_V3 X86_V4 AVX512_ICL AVX512_SPR",
    MPLBACKEND="agg",
    MPLCONFIGDIR=os.environ.get("MPLCONFIGDIR", "/tmp/fornax-matplotlib"),
)
