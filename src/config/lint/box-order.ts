import { isBoxOrder } from '../parse-vision-service.ts';
import { attributeOf, removeFix, setFix, visionServices, type Rule } from './rule.ts';

/** A box order that is no permutation of 0, 1, 2, 3: the machine refuses the service. */
export const boxOrder: Rule = {
  code: 'box-order',
  *check(context) {
    for (const service of visionServices(context)) {
      const attribute = attributeOf(service, 'xmin_ymin_xmax_ymax_order');
      const order: unknown = attribute?.value;
      if (!attribute || !Array.isArray(order) || order.length === 0) continue;
      const numbers = order.filter((item): item is number => typeof item === 'number').map(Math.trunc);
      if (numbers.length < order.length || isBoxOrder(numbers)) continue;
      const own = context.facts[service.name]?.modelBoxOrder;
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
