/** A configuration of one vision service, `seer`, and the model service of a module that it asks, `runner`. */
export const runnerConfig = JSON.stringify({
  services: [
    {
      name: 'runner',
      api: 'rdk:service:mlmodel',
      model: 'viam:mlmodel:onnx-cpu',
      attributes: { model_path: 'm.onnx' },
    },
    { name: 'seer', api: 'rdk:service:vision', model: 'mlmodel', attributes: { mlmodel_name: 'runner' } },
  ],
});
