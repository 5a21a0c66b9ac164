"""What supervision's F1 says of the seeded sets of tests/coco-golden, into tests/supervision-golden/answers.json.

    node scripts/golden/coco/write-sets.ts 1 60 build/sets.json
    pip install supervision==0.31.2
    python3 scripts/golden/supervision/answers.py build/sets.json > tests/supervision-golden/answers.json

Of each set and threshold: the weighted mean at IoU 0.5, and the F1 of each label that it knows. Scores are made different.
"""

import json
import sys

import numpy
import supervision
from supervision.metrics import F1Score

THRESHOLDS = [0.0, 0.25, 0.5]


def corners(boxes):
    return numpy.array([[x, y, x + w, y + h] for x, y, w, h in boxes], dtype=numpy.float64).reshape(-1, 4)


answers = {}
for one in json.load(open(sys.argv[1])):
    for at, result in enumerate(one["results"]):
        result["score"] = result["score"] * 0.9 + 0.05 - at * 1e-6
    said = []
    for threshold in THRESHOLDS:
        metric = F1Score()
        for image in one["truth"]["images"]:
            boxes = [box for box in one["truth"]["annotations"] if box["image_id"] == image["id"]]
            found = [r for r in one["results"] if r["image_id"] == image["id"] and r["score"] >= threshold]
            metric.update(
                supervision.Detections(
                    xyxy=corners([r["bbox"] for r in found]),
                    confidence=numpy.array([r["score"] for r in found], dtype=numpy.float64),
                    class_id=numpy.array([r["category_id"] for r in found], dtype=int),
                ),
                supervision.Detections(
                    xyxy=corners([box["bbox"] for box in boxes]),
                    class_id=numpy.array([box["category_id"] for box in boxes], dtype=int),
                ),
            )
        result = metric.compute()
        labels = {str(int(label)): float(f1[0]) for label, f1 in zip(result.matched_classes, result.f1_per_class)}
        said.append({"f1": float(result.f1_50), "labels": labels})
    answers[one["seed"]] = said
rows = ",\n".join(f'"{seed}": {json.dumps(said)}' for seed, said in answers.items())
print(f'{{"thresholds": {json.dumps(THRESHOLDS)},\n"sets": {{\n{rows}\n}}}}')
