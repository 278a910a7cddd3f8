import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { defineWorkflow, type WorkflowModel } from '../automation/workflow.ts'
import { complex, string } from '../model/field.ts'
import { requireSoundWorkflows } from './check-workflows.ts'
import { definePlugin } from './define-plugin.ts'

const begin = { isStart: true, transitions: [{ name: 'on', to: 'end' }] } as const
const end = { isStop: true } as const
const sound = defineWorkflow({ name: 'Sound', nodes: { begin, end } })

function mistakeOf(...workflows: readonly WorkflowModel[]): string {
  try {
    const plugins = [definePlugin({ name: 'p', workflows })]
    requireSoundWorkflows(plugins, plugins)
    return ''
  } catch (error) {
    return (error as Error).message
  }
}

describe('workflows are refused at start', () => {
  test('not where they are sound', () => assert.equal(mistakeOf(sound), ''))

  const mistakes: readonly [what: string, model: WorkflowModel, message: RegExp][] = [
    ['with a dot in the name', { ...sound, name: 'A.B' }, /has the name A\.B/],
    ['without nodes', { name: 'A', nodes: {} }, /has no nodes/],
    ['without a start', { name: 'A', nodes: { end } }, /has no start node/],
    ['with two starts', { name: 'A', nodes: { begin, other: begin, end } }, /several start nodes: begin, other/],
    [
      'without a stop',
      { name: 'A', nodes: { begin: { ...begin, transitions: [{ name: 'on', to: 'begin' }] } } },
      /has no stop node/,
    ],
    [
      'with a node that nothing leads to',
      { name: 'A', nodes: { begin, lost: { transitions: [{ name: 'on', to: 'end' }] }, end } },
      /node lost is reached by no transition/,
    ],
    [
      'with a node that leads nowhere',
      {
        name: 'A',
        nodes: {
          begin: {
            ...begin,
            transitions: [
              { name: 'on', to: 'end' },
              { name: 'off', to: 'lost' },
            ],
          },
          lost: {},
          end,
        },
      },
      /node lost has no way to a stop node; .*has no transition, and is no stop/,
    ],
    [
      'with a transition to no node',
      { name: 'A', nodes: { begin: { ...begin, transitions: [{ name: 'on', to: 'nowhere' }] }, end } },
      /transition on to nowhere, which does not exist/,
    ],
    [
      'with an unknown chain',
      { name: 'A', nodes: { begin: { ...begin, outputChain: 'Nothing' }, end } },
      /runs the chain Nothing, which does not exist/,
    ],
    [
      'with a variable that nobody declared',
      {
        name: 'A',
        nodes: { begin: { ...begin, transitions: [{ name: 'on', to: 'end', when: 'WorkflowVariables["x"] == 1' }] }, end },
      },
      /asks in transition on for WorkflowVariables\["x"\]/,
    ],
    [
      'with an expression that cannot be read',
      { name: 'A', nodes: { begin: { ...begin, transitions: [{ name: 'on', to: 'end', when: '1 +' }] }, end } },
      /wrong expression in transition on/,
    ],
    [
      'with an unknown permission',
      { name: 'A', nodes: { begin: { ...begin, task: { permission: 'Nothing', buttons: [] } }, end } },
      /unknown permission Nothing/,
    ],
    [
      'with a button of a reserved name',
      { name: 'A', nodes: { begin: { ...begin, task: { buttons: [{ name: 'reassign' }] } }, end } },
      /button named 'reassign'/,
    ],
    [
      'with another workflow that is none',
      { name: 'A', nodes: { begin: { ...begin, child: { model: 'Nothing' } }, end } },
      /begins the workflow Nothing/,
    ],
    [
      'with a structure as a variable',
      { name: 'A', variables: { x: complex({ y: string() }) }, nodes: { begin, end } },
      /variable x, which is neither/,
    ],
  ]
  for (const [what, model, message] of mistakes) test(what, () => assert.match(mistakeOf(model), message))

  test('with all that is wrong at once, and the plugin that made it', () => {
    const model = { name: 'A', nodes: { begin: { ...begin, inputChain: 'One', outputChain: 'Two' }, end } }
    assert.match(mistakeOf(model), /^plugin p: workflow A node begin runs the chain One.*; node begin runs the chain Two/)
  })

  test('where two have variables at nodes of one name', () => {
    const withVariables = (name: string): WorkflowModel => ({
      name,
      nodes: { begin: { ...begin, variables: { x: string() } }, end },
    })
    assert.match(
      mistakeOf(withVariables('A'), withVariables('B')),
      /workflow B has variables of node begin where node begin of A has some/,
    )
  })
})
