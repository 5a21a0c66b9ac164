"""What TIDE says of the seeded sets of tests/coco-golden, into tests/tide-golden/answers.json.

    node scripts/golden/coco/write-sets.ts 1 160 build/sets.json
    pip install pycocotools==2.0.11 numpy
    pip download --no-deps tidecv==1.0.1 -d build && unzip -q build/tidecv-*.whl -d build/tidecv
    PYTHONPATH=build/tidecv python3 scripts/golden/tide/answers.py build/sets.json > tests/tide-golden/answers.json

What it only draws and downloads with is stood in for by empty modules. Crowds are left out, as are results of labels without truth (TIDE
means AP 0 of those, COCO leaves them out) and sets in which its recall points (k / 100) part from COCO's (k · 0.01) at
a recall that occurs. Scores are made different, as it keeps no order of images among equal ones.
"""

import json
import sys
from unittest import mock

for name in ["cv2", "matplotlib", "matplotlib.pyplot", "matplotlib.lines", "pandas", "seaborn", "appdirs"]:
    sys.modules[name] = mock.MagicMock()

import numpy
from tidecv import TIDE, Data

KINDS = {"class": "Cls", "place": "Loc", "both": "Both", "twice": "Dupe", "background": "Bkg", "missed": "Miss"}
PARTED = [k for k in range(101) if k / 100 != numpy.linspace(0, 1, 101)[k]]


def is_parted(counts):
    """Whether some recall found / count lies on a point that the two write apart."""
    return any(k * count % 100 == 0 for count in counts for k in PARTED)


answers = {}
for one in json.load(open(sys.argv[1])):
    boxes = [box for box in one["truth"]["annotations"] if not box["iscrowd"]]
    labels = {box["category_id"] for box in boxes}
    found = [
        {**result, "score": result["score"] * 0.9 + 0.05 - at * 1e-6}
        for at, result in enumerate(one["results"])
        if result["category_id"] in labels
    ]
    counts = [sum(box["category_id"] == label for box in boxes) for label in labels]
    # Mending the missed leaves fewer to be found: any count up to all may divide.
    if not found or is_parted([part for count in counts for part in range(1, count + 1)]):
        continue
    truth, results = Data("truth"), Data("results", max_dets=10_000)
    truth.max_dets = 10_000
    for image in one["truth"]["images"]:
        truth.add_image(image["id"], str(image["id"]))
    for box in boxes:
        truth.add_ground_truth(box["image_id"], box["category_id"], box["bbox"])
    for result in found:
        results.add_detection(result["image_id"], result["category_id"], result["score"], result["bbox"])
    tide = TIDE()
    run = tide.evaluate(truth, results, mode=TIDE.BOX, name="set")
    counted = {error.short_name: count for error, count in run.count_errors().items()}
    gains = tide.get_main_errors()["set"]
    answers[one["seed"]] = {
        "AP50": run.ap / 100,
        "counts": [counted[name] for name in KINDS.values()],
        "gains": [gains[name] / 100 for name in KINDS.values()],
    }
rows = ",\n".join(f'"{seed}": {json.dumps(said)}' for seed, said in answers.items())
print(f'{{"kinds": {json.dumps(list(KINDS))},\n"sets": {{\n{rows}\n}}}}')
