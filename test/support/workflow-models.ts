import { defineChain } from '../../src/automation/chain.ts'
import { defineWorkflow } from '../../src/automation/workflow.ts'
import { blob, boolean, date, double, list, long, string } from '../../src/model/field.ts'
import { definePlugin } from '../../src/plugin/define-plugin.ts'

const pressed = (button: string) => `NodeVariables["button"] == "${button}"`
const forInitiator = { assigneesExpr: 'workflowInitiator', buttons: [{ name: 'go' }, { name: 'back' }] }

/** Two tasks at once, whose end is merged. */
const forked = (name: string, merge: 'one' | 'all') =>
  defineWorkflow({
    name,
    nodes: {
      [`${name}Begin`]: {
        isStart: true,
        transitions: [
          { name: 'left', to: `${name}Left` },
          { name: 'right', to: `${name}Right` },
        ],
      },
      [`${name}Left`]: { task: { ...forInitiator, permission: 'ReadWrite' }, transitions: [{ name: 'on', to: `${name}Join` }] },
      [`${name}Right`]: { task: { ...forInitiator, permission: 'Read' }, transitions: [{ name: 'on', to: `${name}Join` }] },
      [`${name}Join`]: { merge, transitions: [{ name: 'on', to: `${name}Last` }] },
      [`${name}Last`]: {
        task: forInitiator,
        transitions: [
          { name: 'end', to: `${name}End`, when: pressed('go') },
          { name: 'again', to: `${name}Begin`, when: pressed('back') },
        ],
      },
      [`${name}End`]: { isStop: true },
    },
  })

const restarted = defineWorkflow({
  name: 'Restarted',
  nodes: {
    restartedBegin: { isStart: true, transitions: [{ name: 'ask', to: 'restartedFirst' }] },
    restartedFirst: { task: forInitiator, transitions: [{ name: 'on', to: 'restartedSecond' }] },
    restartedSecond: { task: forInitiator, transitions: [{ name: 'on', to: 'restartedEnd' }] },
    restartedEnd: { isStop: true },
  },
})

const several = defineWorkflow({
  name: 'Several',
  taskMappings: {
    origin: { 'dc:rights': 'dc:source', 'dc:subjects': 'dc:subjects', 'dc:format': 'note:note' },
    wrong: { 'dc:rights': 'dc:created' },
  },
  variables: {
    who: list(string()),
    count: long({ default: 1 }),
    rate: double(),
    isUrgent: boolean(),
    until: date(),
    note: string({ maxLength: 20 }),
    shown: string({ default: 'one' }),
    plan: blob(),
  },
  nodes: {
    severalBegin: { isStart: true, transitions: [{ name: 'ask', to: 'severalAsk' }] },
    severalAsk: {
      variables: { comment: string() },
      exposes: ['count', 'rate', 'isUrgent', 'until', 'note', 'shown', 'who', 'plan'],
      task: {
        assigneesExpr: 'WorkflowVariables["who"]',
        perAssignee: true,
        due: 'CurrentDate.days((int) WorkflowVariables["count"])',
        buttons: [
          { name: 'yes', filter: 'WorkflowVariables["shown"] == "one"' },
          { name: 'no', filter: 'WorkflowVariables["shown"] == "other"' },
        ],
      },
      escalations: [
        {
          name: 'late',
          condition: 'WorkflowFn.timeSinceTaskWasStarted() >= 0 && !WorkflowFn.ruleAlreadyExecuted()',
          chain: 'Test.Late',
        },
      ],
      transitions: [
        {
          name: 'agreed',
          to: 'severalGood',
          when: 'NodeVariables["tasks"].getNumberEndedWithStatus("yes") * 2 > NodeVariables["numberOfTasks"]',
        },
        {
          name: 'refused',
          to: 'severalBad',
          when: 'NodeVariables["tasks"].getNumberEndedWithStatus("yes") * 2 <= NodeVariables["numberOfTasks"]',
        },
      ],
    },
    severalGood: { inputChain: 'Test.Good', transitions: [{ name: 'end', to: 'severalEnd' }] },
    severalBad: { transitions: [{ name: 'end', to: 'severalEnd' }] },
    severalEnd: { isStop: true },
  },
})

const parent = defineWorkflow({
  name: 'Parent',
  variables: { people: list(string()) },
  nodes: {
    parentBegin: { isStart: true, transitions: [{ name: 'ask', to: 'parentChild' }] },
    parentChild: {
      child: { model: 'expr:"Sev" + "eral"', variables: { who: 'expr:WorkflowVariables["people"]', note: 'by parent' } },
      transitions: [{ name: 'on', to: 'parentEnd' }],
    },
    parentEnd: { isStop: true },
  },
})

/** Asks somebody who may read meanwhile, then has another workflow ask others, who may write. */
const handedOn = defineWorkflow({
  name: 'HandedOn',
  variables: { first: string(), others: list(string()) },
  nodes: {
    handedOnBegin: { isStart: true, transitions: [{ name: 'ask', to: 'handedOnFirst' }] },
    handedOnFirst: {
      task: { assigneesExpr: 'WorkflowVariables["first"]', permission: 'Read', buttons: [{ name: 'go' }] },
      transitions: [{ name: 'on', to: 'handedOnChild' }],
    },
    handedOnChild: {
      child: { model: 'Asked', variables: { others: 'expr:WorkflowVariables["others"]' } },
      transitions: [{ name: 'on', to: 'handedOnEnd' }],
    },
    handedOnEnd: { isStop: true },
  },
})

const asked = defineWorkflow({
  name: 'Asked',
  variables: { others: list(string()) },
  nodes: {
    askedBegin: { isStart: true, transitions: [{ name: 'ask', to: 'askedOthers' }] },
    askedOthers: {
      task: { assigneesExpr: 'WorkflowVariables["others"]', permission: 'ReadWrite', buttons: [{ name: 'go' }] },
      transitions: [{ name: 'on', to: 'askedApproval' }],
    },
    askedApproval: { inputChain: 'validateDocument', transitions: [{ name: 'on', to: 'askedEnd' }] },
    askedEnd: { isStop: true },
  },
})

const quick = defineWorkflow({
  name: 'Quick',
  nodes: {
    quickBegin: { isStart: true, transitions: [{ name: 'on', to: 'quickEnd' }] },
    quickEnd: { isStop: true },
  },
})

const parentOfQuick = defineWorkflow({
  name: 'ParentOfQuick',
  nodes: {
    poqBegin: { isStart: true, transitions: [{ name: 'ask', to: 'poqChild' }] },
    poqChild: { child: { model: 'Quick' }, transitions: [{ name: 'on', to: 'poqEnd' }] },
    poqEnd: { isStop: true },
  },
})

/** Begins another workflow, whichever its variable names, after a task or at once. */
const chooser = defineWorkflow({
  name: 'Chooser',
  variables: { model: string(), isAsking: boolean() },
  nodes: {
    chooserBegin: {
      isStart: true,
      transitions: [
        { name: 'ask', to: 'chooserAsk', when: 'WorkflowVariables["isAsking"] == true' },
        { name: 'begin', to: 'chooserChild', when: 'WorkflowVariables["isAsking"] != true' },
      ],
    },
    chooserAsk: { task: forInitiator, transitions: [{ name: 'on', to: 'chooserChild' }] },
    chooserChild: {
      child: {
        model: 'expr:WorkflowVariables["model"]',
        variables: { model: 'expr:WorkflowVariables["model"]', isAsking: 'expr:WorkflowVariables["isAsking"]' },
      },
      transitions: [{ name: 'on', to: 'chooserEnd' }],
    },
    chooserEnd: { isStop: true },
  },
})

/** Begins the other one, for ever. */
const circling = (name: string, other: string) =>
  defineWorkflow({
    name,
    nodes: {
      [`${name}Begin`]: { isStart: true, transitions: [{ name: 'begin', to: `${name}Child` }] },
      [`${name}Child`]: { child: { model: other }, transitions: [{ name: 'on', to: `${name}End` }] },
      [`${name}End`]: { isStop: true },
    },
  })

/** Begins one that is done at once again and again. */
const repeating = defineWorkflow({
  name: 'Repeating',
  nodes: {
    repeatingBegin: { isStart: true, transitions: [{ name: 'begin', to: 'repeatingChild' }] },
    repeatingChild: {
      child: { model: 'Quick' },
      transitions: [
        { name: 'again', to: 'repeatingBegin', when: 'true' },
        { name: 'end', to: 'repeatingEnd', when: 'false' },
      ],
    },
    repeatingEnd: { isStop: true },
  },
})

/** Starts itself by a chain. */
const chained = defineWorkflow({
  name: 'Chained',
  nodes: {
    chainedBegin: { isStart: true, inputChain: 'Test.StartChained', transitions: [{ name: 'on', to: 'chainedEnd' }] },
    chainedEnd: { isStop: true },
  },
})

/** Workflows that show one thing each. */
export const workflowModels = definePlugin({
  name: 'workflow-models',
  requires: ['workflow'],
  workflows: [
    forked('MergeAll', 'all'),
    forked('MergeOne', 'one'),
    several,
    restarted,
    parent,
    handedOn,
    asked,
    quick,
    parentOfQuick,
    chooser,
    circling('Circling', 'CirclingBack'),
    circling('CirclingBack', 'Circling'),
    repeating,
    chained,
  ],
  chains: [
    defineChain({ id: 'Test.StartChained', steps: [{ operation: 'Context.StartWorkflow', params: { id: 'Chained' } }] }),
    defineChain({
      id: 'Test.Good',
      steps: [
        {
          operation: 'Document.SetProperty',
          params: { xpath: 'dc:description', value: 'expr:"agreed by " + WorkflowVariables["who"].size()' },
        },
      ],
    }),
    defineChain({ id: 'Test.Late', steps: [{ operation: 'Workflow.ResumeNode' }] }),
    defineChain({
      id: 'Test.Accepted',
      steps: [{ operation: 'Document.SetProperty', params: { xpath: 'dc:description', value: 'accepted' } }],
    }),
  ],
})
