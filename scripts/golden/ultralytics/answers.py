"""What Ultralytics' metrics say of the seeded sets of tests/coco-golden, into tests/ultralytics-golden/answers.json.

    node scripts/golden/coco/write-sets.ts 1 60 build/sets.json
    pip download --no-deps ultralytics==8.4.190 -d build && unzip -q build/ultralytics-*.whl -d build/ultralytics
    PYTHONPATH=build/ultralytics python3 scripts/golden/ultralytics/answers.py build/sets.json > tests/ultralytics-golden/answers.json

Its functions of numpy alone are called, so PyTorch and what else it imports are stood in for by empty modules; the confusion
matrix gets arrays of numpy, and its overlap of boxes is written out here. Scores are made different, as it sorts equal ones
in no fixed order.
"""

import importlib
import json
import sys
import types
from unittest import mock


class Anything(types.ModuleType):
    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (), {})


for name in ["torch", "ultralytics.utils", "ultralytics.utils.plotting", "ultralytics"]:
    sys.modules[name] = Anything(name)
sys.modules["ultralytics"].__path__ = []
sys.modules["ultralytics.utils"].__path__ = [p + "/ultralytics/utils" for p in sys.path]
sys.modules["ultralytics.utils"].plt_settings = lambda *_, **__: lambda function: function
sys.modules["ultralytics.utils"].TryExcept = lambda *_, **__: lambda function: function
sys.modules["ultralytics.utils"].checks = mock.MagicMock()
sys.modules["torch"].Tensor = type("Tensor", (), {})

import numpy

metrics = importlib.import_module("ultralytics.utils.metrics")

IOUS = numpy.linspace(0.5, 0.95, 10)


def overlap(a, b):
    width = min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0])
    height = min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1])
    if width <= 0 or height <= 0:
        return 0.0
    return width * height / (a[2] * a[3] + b[2] * b[3] - width * height)


def matched(truth, found):
    """Down the scores, each to the best free truth of its image and class, at each IoU."""
    order = sorted(range(len(found)), key=lambda at: -found[at]["score"])
    right = numpy.zeros((len(found), len(IOUS)), dtype=bool)
    for number, iou in enumerate(IOUS):
        taken = set()
        for at in order:
            one = found[at]
            best, place = 0.0, -1
            for other, box in enumerate(truth):
                if other in taken or (box["image_id"], box["category_id"]) != (one["image_id"], one["category_id"]):
                    continue
                near = overlap(one["bbox"], box["bbox"])
                if near > best:
                    best, place = near, other
            if place >= 0 and best >= iou:
                taken.add(place)
                right[at, number] = True
    return right


class Tensor(numpy.ndarray):
    def cpu(self):
        return self

    def numpy(self):
        return numpy.array(self)

    def int(self):
        return self.astype(int)


def tensor(values, shape):
    return numpy.array(values, dtype=float).reshape(shape).view(Tensor)


metrics.box_iou = lambda truth, found: tensor(
    [[overlap(a, b) for b in found.tolist()] for a in truth.tolist()], (len(truth), len(found))
)


def confusion(truth, found, images, labels):
    """Its matrix at the thresholds that its validation uses; rows are results, columns truth, as it has them."""
    matrix = metrics.ConfusionMatrix(names=dict(enumerate(labels)))
    for image in images:
        boxes = [box for box in truth if box["image_id"] == image["id"]]
        results = [result for result in found if result["image_id"] == image["id"]]
        matrix.process_batch(
            {
                "cls": tensor([labels.index(one["category_id"]) for one in results], -1),
                "conf": tensor([one["score"] for one in results], -1),
                "bboxes": tensor([one["bbox"] for one in results], (-1, 4)),
            },
            {
                "cls": tensor([labels.index(one["category_id"]) for one in boxes], -1),
                "bboxes": tensor([one["bbox"] for one in boxes], (-1, 4)),
            },
        )
    return matrix.matrix.astype(int).tolist()


answers = {}
matrices = {}
for one in json.load(open(sys.argv[1])):
    truth, found = one["truth"]["annotations"], one["results"]
    if not truth or not found:
        continue
    for at, result in enumerate(found):
        result["score"] = result["score"] * 0.9 + 0.05 - at * 1e-6
    said = metrics.ap_per_class(
        matched(truth, found),
        numpy.array([result["score"] for result in found]),
        numpy.array([result["category_id"] for result in found]),
        numpy.array([box["category_id"] for box in truth]),
    )
    precision, recall, f1, ap = (numpy.asarray(said[at]) for at in (2, 3, 4, 5))
    answers[one["seed"]] = [float(value.mean()) for value in (ap[:, 0], ap, precision, recall, f1)]
    labels = sorted(category["id"] for category in one["truth"]["categories"])
    matrices[one["seed"]] = confusion(truth, found, one["truth"]["images"], labels)


def rows(said):
    return ",\n".join(f'"{seed}": {json.dumps(values)}' for seed, values in said.items())


figures = '["mAP50", "mAP50-95", "precision", "recall", "f1"]'
print(f'{{"figures": {figures},\n"sets": {{\n{rows(answers)}\n}},\n"confusion": {{\n{rows(matrices)}\n}}}}')
