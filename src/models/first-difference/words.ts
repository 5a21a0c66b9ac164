import type { FirstDifference, NodeFacts, TensorPair } from './first-difference.ts';

/** What a hunt came to, in a sentence or two. */
export function saysOf(found: FirstDifference, reference: string, other: string): string {
  switch (found.kind) {
    case 'same':
      return found.tried > 0
        ? `${other} gives what ${reference} gives: none of ${found.tried} parts differs by more than it may round.`
        : `${other} gives what ${reference} gives.`;
    case 'node': {
      const { nodes, outputs, worst } = found.cutOut;
      const late = found.needsEarlier ? ' It is right on the first frame and wrong on the next.' : '';
      const alone = found.isWrongInside ? '' : ' Inside the whole model it is right: another kernel runs there.';
      return `The first wrong part is ${namesOf(nodes)}. Fed the same, ${differs(outputs[worst]!)}.${late}${alone}`;
    }
    case 'together':
      return (
        `The first wrong result is that of ${nameOf(found.node)}: ${differs(found.inside)}. Alone it is right. ` +
        (found.cutOut
          ? `It is wrong together with ${namesOf(found.cutOut.nodes.filter(({ place }) => place !== found.node.place))}.`
          : 'No part around it that was tried is wrong on its own.')
      );
    case 'hidden':
      return (
        `The difference vanishes when looked at: the runtime joins nodes around ${namesOf(found.nodes)} to one. ` +
        (found.cutOut ? 'Cut out together, they show it.' : 'Cut out together, they do not show it.')
      );
    case 'adds-up':
      return (
        `No part differs by more than it may round; what is rounded adds up over the network.` +
        (found.grows ? ` It grows most, ${times(found.grows.times)}, in ${nameOf(found.grows.node)}.` : '')
      );
    case 'fed-differently':
      return `Both are fed other numbers: input "${found.input.name}" differs by up to ${figure(found.input.difference.largest)}. Compare them behind what prepares their inputs.`;
    case 'no-correspondence':
      return 'The two files share no name of a tensor inside, so no part of one can be set beside a part of the other.';
    case 'not-found':
      return (
        (found.refused === '' ? 'Runs are spent' : `A part could not be run: ${found.refused}`) +
        (found.nodes.length === 0
          ? '.'
          : `; what is left lies between ${nameOf(found.nodes[0]!)} and ${nameOf(found.nodes.at(-1)!)}.`)
      );
  }
}

function differs({ name, difference, bound }: TensorPair): string {
  const [a, b] = difference.values;
  return (
    `"${name}" differs by up to ${figure(difference.largest)} (${figure(a)} against ${figure(b)} at [${difference.at.join(', ')}]), ` +
    `and ${figure(bound.absolute)} is what it may round (${bound.because})`
  );
}

export function nameOf({ name, opType, outputs }: NodeFacts): string {
  return `${opType} "${name === '' ? (outputs[0] ?? '') : name}"`;
}

/** Three of them at most. */
function namesOf(nodes: readonly NodeFacts[]): string {
  const some = nodes.slice(-3).map(nameOf).join(', ');
  return nodes.length > 3 ? `${some} and ${nodes.length - 3} before` : some;
}

function figure(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toPrecision(3);
}

function times(value: number): string {
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} times`;
}
