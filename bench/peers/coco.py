"""Times pycocotools, and faster-coco-eval where it is installed, on a set: python3 coco.py truth.json results.json

Prints one JSON object: seconds of evaluate and accumulate, without reading the files, and AP.
"""

import contextlib
import io
import json
import sys
import time

times = {}


def measure(name, COCO, COCOeval):
    with contextlib.redirect_stdout(io.StringIO()):
        truth = COCO(sys.argv[1])
        found = truth.loadRes(sys.argv[2])
        evaluation = COCOeval(truth, found, "bbox")
        started = time.perf_counter()
        evaluation.evaluate()
        evaluation.accumulate()
        times[name] = time.perf_counter() - started
        evaluation.summarize()
    times[name + " AP"] = float(evaluation.stats[0])


from pycocotools.coco import COCO
from pycocotools.cocoeval import COCOeval

measure("pycocotools", COCO, COCOeval)
try:
    from faster_coco_eval import COCO as FasterCOCO, COCOeval_faster

    measure("faster-coco-eval", FasterCOCO, COCOeval_faster)
except ImportError:
    pass
print(json.dumps(times))
