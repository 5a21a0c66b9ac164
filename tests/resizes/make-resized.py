"""Makes resized.json: what Pillow, OpenCV and torchvision make of seeded pictures. The tests hold src/models/fit/feeding/resize to it.

pip install pillow numpy opencv-python-headless torch torchvision, then: python tests/resizes/make-resized.py
With --full FILE all samples are written there too, to find a difference by.
"""

import hashlib
import json
import sys
from pathlib import Path

import cv2
import numpy
import PIL
import torch
import torchvision
from PIL import Image
from torchvision.transforms import InterpolationMode
from torchvision.transforms.v2 import functional

shapes = [
    ((13, 9), (29, 21)),
    ((13, 9), (7, 5)),
    ((13, 9), (13, 4)),
    ((13, 9), (5, 9)),
    ((32, 20), (16, 10)),
    ((32, 20), (8, 5)),
    ((97, 31), (67, 45)),
    ((61, 83), (211, 16)),
    ((120, 90), (40, 30)),
    ((250, 141), (96, 96)),
    ((5, 4), (64, 33)),
    ((333, 7), (50, 1)),
]


def picture(width, height, channels):
    """The same numbers as `seededPicture` of the test: noise on a slope, with an edge."""
    state = 1
    samples = numpy.empty((height, width, channels), numpy.uint8)
    for y in range(height):
        for x in range(width):
            for channel in range(channels):
                state = (state * 1103515245 + 12345) % 2147483648
                noise = (state >> 16) % 61
                slope = (5 * x + 3 * y + 40 * channel) % 195
                samples[y, x, channel] = 255 if (x + y) % 11 == 0 else 0 if (x * y) % 13 == 5 else slope + noise
    return samples


def pillow(filter_):
    def resize(samples, width, height):
        image = Image.fromarray(samples[:, :, 0] if samples.shape[2] == 1 else samples)
        return numpy.asarray(image.resize((width, height), filter_)).reshape(height, width, -1)

    return resize


def opencv(interpolation):
    def resize(samples, width, height):
        return cv2.resize(samples, (width, height), interpolation=interpolation).reshape(height, width, -1)

    return resize


def torchvision_(interpolation, antialias, as_float):
    def resize(samples, width, height):
        tensor = torch.from_numpy(samples).permute(2, 0, 1)
        if as_float:
            tensor = tensor.to(torch.float32)
        resized = functional.resize_image(tensor, [height, width], interpolation, antialias=antialias)
        return resized.permute(1, 2, 0).contiguous().numpy()

    return resize


modes = {"bilinear": InterpolationMode.BILINEAR, "bicubic": InterpolationMode.BICUBIC}
resizes = {
    **{f"pillow {name}": pillow(getattr(Image.Resampling, name.upper()))
       for name in ["nearest", "box", "bilinear", "hamming", "bicubic", "lanczos"]},
    **{f"opencv {name}": opencv(getattr(cv2, f"INTER_{name.upper()}"))
       for name in ["nearest", "linear", "cubic", "area", "lanczos4"]},
    **{f"torchvision {name}{' antialiased' if antialias else ''}{' float' if as_float else ''}":
       torchvision_(mode, antialias, as_float)
       for name, mode in modes.items() for antialias in [False, True] for as_float in [False, True]},
}  # fmt: skip

cases, full = [], []
for name, resize in resizes.items():
    for (width, height), (to_width, to_height) in shapes:
        for channels in [1, 3]:
            resized = resize(picture(width, height, channels), to_width, to_height)
            is_float = resized.dtype == numpy.float32
            case = {"resampler": name, "from": [width, height, channels], "to": [to_width, to_height]}
            # The sums of floating-point numbers hang on the processor's width: a thousandth of a level is no difference.
            every = 1 if not is_float else max(1, resized.size // 24)
            some = resized.reshape(-1)[::every][:24]
            case["samples"] = [round(float(v), 3) if is_float else int(v) for v in some]
            if is_float:
                case["every"] = every
            else:
                case["sha256"] = hashlib.sha256(resized.tobytes()).hexdigest()[:16]
            cases.append(case)
            full.append({**case, "all": [float(v) for v in resized.reshape(-1)]})

versions = {
    "Pillow": PIL.__version__,
    "OpenCV": cv2.__version__,
    "torch": torch.__version__,
    "torchvision": torchvision.__version__,
    "CPU capability of torch": torch.backends.cpu.get_cpu_capability(),
}
lines = ",\n".join(json.dumps(case, separators=(",", ":")) for case in cases)
text = '{"versions":' + json.dumps(versions) + ',\n"cases":[\n' + lines + "\n]}\n"
Path(__file__).with_name("resized.json").write_text(text)
if "--full" in sys.argv:
    Path(sys.argv[sys.argv.index("--full") + 1]).write_text(json.dumps(full))
