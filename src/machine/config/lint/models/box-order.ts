import { isBoxOrder } from '../../parse/parse-vision-service.ts';
import { attributeOf, removeFix, setFix, visionServices, type Rule } from '../rule/rule.ts';

/** ymin, xmin, ymax, xmax: what the machine takes without the attribute. */
const machineOrder = [1, 0, 3, 2];

/** A box order that is no permutation of 0, 1, 2, 3, which the machine refuses; or none where the model file states another than the machine takes. */
export const boxOrder: Rule = {
  code: 'box-order',
  *check(context) {
    for (const service of visionServices(context)) {
      const attribute = attributeOf(service, 'xmin_ymin_xmax_ymax_order');
      const order: unknown = attribute?.value;
      const own = context.facts[service.name]?.modelBoxOrder;
      if (!attribute || order === null || (Array.isArray(order) && order.length === 0)) {
        if (!own || !isBoxOrder(own) || own.join() === machineOrder.join()) continue;
        const path = attribute?.path ?? [...service.attributesPath, 'xmin_ymin_xmax_ymax_order'];
        yield {
          path,
          severity: 'warning',
          message: `The model file states its boxes as [${own.join(', ')}]; the machine takes [${machineOrder.join(', ')}], though Viam’s page says that it reads the file.`,
          fix: setFix(context, `Write [${own.join(', ')}]`, path, own),
        };
        continue;
      }
      if (!Array.isArray(order)) continue;
      const numbers = order.filter((item): item is number => typeof item === 'number').map(Math.trunc);
      if (numbers.length < order.length || isBoxOrder(numbers)) continue;
      yield {
        path: attribute.path,
        severity: 'error',
        message: `The box order must hold each of 0 (xmin), 1 (ymin), 2 (xmax) and 3 (ymax) once, got [${order.join(', ')}].`,
        fix:
          own && isBoxOrder(own)
            ? setFix(context, `Use the model's own: [${own.join(', ')}]`, attribute.path, own)
            : removeFix(context, 'Use the default: ymin, xmin, ymax, xmax', attribute.path),
      };
    }
  },
};
