/**
 * The machine configuration that the bench starts with: the built-in face model (NHWC float32, −1..1, boxes in the
 * machine's default order) and the label file that lies beside it, behind a camera that shows its input as it is.
 */
export const sampleConfigText = `{
  "components": [
    {
      "name": "webcam",
      "api": "rdk:component:camera",
      "model": "webcam",
      "attributes": {}
    },
    {
      "name": "tuned-camera",
      "api": "rdk:component:camera",
      "model": "transform",
      "attributes": {
        "source": "webcam",
        "pipeline": [
          { "type": "" }
        ]
      }
    }
  ],
  "services": [
    {
      "name": "detector-model",
      "api": "rdk:service:mlmodel",
      "model": "viam:mlmodel:onnx-cpu",
      "attributes": {
        "model_path": "face-detector.onnx",
        "label_path": "face-detector.labels.txt"
      }
    },
    {
      "name": "detector",
      "api": "rdk:service:vision",
      "model": "mlmodel",
      "attributes": {
        "mlmodel_name": "detector-model",
        "camera_name": "tuned-camera",
        "input_image_mean_value": [0.5, 0.5, 0.5],
        "input_image_std_dev": [0.5, 0.5, 0.5],
        "default_minimum_confidence": 0.5
      }
    }
  ]
}
`;
