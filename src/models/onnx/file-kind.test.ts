import { expect, it } from 'vitest';
import { guessFileKind, guessKindByName } from './file-kind.ts';

const bytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const zip = 'PK\x03\x04\x00\x00';

it.each([
  ['version https://git-lfs.github.com/spec/v1\noid sha256:12\n', 'Git LFS'],
  ['\n<!DOCTYPE html><html>', 'web page'],
  ['<html lang="en">', 'web page'],
  [`${zip}model.onnx`, 'zip archive'],
  ['\x1f\x8b\x08', 'gzip'],
  ['{"model": 1}', 'JSON'],
])('%j looks like %s', (head, words) => {
  expect(guessFileKind(bytes(head))).toContain(words);
});

it.each([
  ['det.tflite', '\x1c\x00\x00\x00TFL3\x14', 'python -m tf2onnx.convert --tflite det.tflite --output det.onnx'],
  ['net.h5', '\x89HDF\r\n', "keras.models.load_model('net.h5').export('net.onnx', format='onnx')"],
  ['net.keras', `${zip}metadata.json{"keras_version": "3.4"}`, "load_model('net.keras')"],
  ['net.keras', `${zip}\x08\x00config.json`, "load_model('net.keras')"],
  [
    'best.pt',
    `${zip}best/data.pkl\x80\x02cultralytics.nn.tasks\nDetectionModel`,
    'yolo export model=best.pt format=onnx"',
  ],
  ['net.pt', `${zip}net/data.pkl\x80\x02c__torch__\nNet`, "torch.jit.load('net.pt')"],
  [
    'net.pth',
    `${zip}archive/data.pkl\x80\x02ccollections\nOrderedDict\nctorch._utils\n_rebuild_tensor_v2`,
    'weights without their network: build the network',
  ],
  [
    'net.pth',
    `${zip}archive/data.pkl\x80\x02ctorch.nn.modules.linear\nLinear\nccollections\nOrderedDict\n_rebuild_tensor_v2`,
    "torch.load('net.pth', weights_only=False)",
  ],
  ['old.pt', '\x80\x02}q\x00', "torch.load('old.pt'"],
  ['saved_model.pb', '\x08\x01\x12\xff\x01\x0a', '--saved-model FOLDER --output saved_model.onnx'],
  ['frozen.pb', '\x0a\x2f\x0a\x05input\x12\x0bPlaceholder', '--graphdef frozen.pb'],
  ['net.engine', 'ftrt\x00\x00', 'TensorRT'],
  ['net.engine', '\x10\x02\x00\x00{"description": "Ultralytics', 'yolo export model=net.pt format=onnx'],
  ['net.hef', '\x01HEF\x00\x00', 'Hailo'],
  ['net.rknn', 'RKNN\x00', 'Rockchip'],
  ['net.param', '7767517\n75 83\n', 'ncnn'],
  ['net.xml', '<?xml version="1.0"?>\n<net name="x" version="11">\n<layers>\n<layer id="0"', 'OpenVINO'],
  ['w.safetensors', '@\x01\x00\x00\x00\x00\x00\x00{"weight":', 'safetensors'],
  ['w.safetensors', '@\x01\x00\x00\x00\x00\x00\x00{\n "weight":', 'weights but no graph'],
  ['best.pt', `${zip}best/data.pkl\x80\x02cultralytics.nn.tasks\nDetectionModel`, 'format=tflite'],
  ['m.mlpackage', `${zip}m.mlpackage/Data/com.apple.CoreML/model.mlmodel`, 'Core ML package'],
  ['m.zip', `${zip}saved_model/saved_model.pb`, 'from_saved_model(FOLDER)'],
  ['m.zip', `${zip}model_unquant.tflite`, 'drop the .tflite inside'],
  ['m.dlc', `${zip}model.params`, 'Qualcomm'],
  ['m.pte', '\x20\x00\x00\x00ET12', 'ExecuTorch'],
  ['inference.json', '{"base_code":{"magic":"pir","trainable":false', '--model_filename inference.json'],
])('%s of the bytes %j: %s', (name, head, command) => {
  expect(guessFileKind(bytes(head), name)).toContain(command);
});

it.each([
  ['\x08\x08\x12\x07pytorch', 'net.onnx'],
  ['\x08\x03\x12\x05', 'net.pb'],
  ['\x08\x08\x12\x07pytorch', 'net.bin'],
])('has nothing to say about the start of an ONNX file, whatever it is called', (head, name) => {
  expect(guessFileKind(bytes(head), name)).toBe('');
});

it.each([
  ['net.mlmodel', 'Core ML'],
  [
    'net.pdmodel',
    'paddle2onnx --model_dir . --model_filename net.pdmodel --params_filename net.pdiparams --save_file net.onnx',
  ],
  ['net.caffemodel', 'Caffe'],
  ['net.mnn', 'built for'],
  ['yolov4.weights', 'Darknet'],
  ['net.onnx.data', 'drop the .onnx file together with it'],
  ['net.onnx_data', 'drop the .onnx file together with it'],
  ['net.bin', 'without their network'],
  ['net.onnx', ''],
])('the name %s says %j', (name, words) => {
  if (words === '') expect(guessKindByName(name)).toBe('');
  else expect(guessKindByName(name)).toContain(words);
});
