/** A configuration with a vision service, `seer`, that uses the model service `runner` of a module. */
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
