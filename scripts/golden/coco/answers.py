"""What pycocotools says of the seeded sets of tests/coco-golden, into its answers.json.

    node scripts/golden/coco/write-sets.ts 1 320 /tmp/sets.json
    pip install pycocotools==2.0.11
    python3 scripts/golden/coco/answers.py /tmp/sets.json > tests/coco-golden/answers.json

Truth is numbered from 1 before it is given: pycocotools reads truth of id 0 as not found.
"""

import contextlib
import io
import json
import sys

import numpy
from pycocotools.coco import COCO
from pycocotools.cocoeval import COCOeval

FIGURES = "AP AP50 AP75 APs APm APl AR1 AR10 AR100 ARs ARm ARl".split()


def known(value):
    return None if value < 0 else float(value)


def answer(truth, results):
    for number, annotation in enumerate(truth["annotations"]):
        annotation["id"] = number + 1
    coco = COCO()
    coco.dataset = truth
    coco.createIndex()
    if results:
        found = coco.loadRes(results)
    else:
        found = COCO()
        found.dataset = {**truth, "annotations": []}
        found.createIndex()
    evaluation = COCOeval(coco, found, "bbox")
    evaluation.evaluate()
    evaluation.accumulate()
    evaluation.summarize()
    precision = evaluation.eval["precision"]
    labels = []
    for at in range(precision.shape[2]):
        values = precision[:, :, at, 0, 2]
        values = values[values > -1]
        labels.append(float(numpy.mean(values)) if len(values) else None)
    return {"figures": [known(value) for value in evaluation.stats], "labels": labels}


def main():
    with open(sys.argv[1]) as file:
        sets = json.load(file)
    answers = {}
    for one in sets:
        with contextlib.redirect_stdout(io.StringIO()):
            answers[one["seed"]] = answer(one["truth"], one["results"])
    rows = ",\n".join(f'"{seed}": {json.dumps(said)}' for seed, said in answers.items())
    print(f'{{"figures": {json.dumps(FIGURES)},\n"sets": {{\n{rows}\n}}}}')


main()
