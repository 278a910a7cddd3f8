import { boolean, date, defineChain, definePlugin, defineWorkflow, string } from 'quire'

/** A request for holidays: whoever asks names a manager, who decides; a refusal goes back to be changed. */
const holidays = defineWorkflow({
  name: 'Holidays',
  title: 'Holidays',
  description: 'Ask for holidays',
  variables: {
    manager: string({ maxLength: 100 }),
    from: date(),
    until: date(),
    isGranted: boolean({ default: false }),
  },
  nodes: {
    holidaysBegin: { title: 'Begin', isStart: true, transitions: [{ name: 'ask', to: 'holidaysAsk' }] },
    holidaysAsk: {
      title: 'Say when and whom to ask',
      exposes: ['manager', 'from', 'until'],
      task: {
        assigneesExpr: 'workflowInitiator',
        due: 'CurrentDate.days(7)',
        allowsReassignment: false,
        buttons: [{ name: 'ask' }, { name: 'forget', validate: false }],
      },
      transitions: [
        { name: 'decide', to: 'holidaysDecide', when: 'NodeVariables["button"] == "ask"' },
        { name: 'forget', to: 'holidaysOver', when: 'NodeVariables["button"] == "forget"' },
      ],
    },
    holidaysDecide: {
      title: 'Decide',
      variables: { remark: string() },
      exposes: ['from', 'until'],
      task: {
        assigneesExpr: 'WorkflowVariables["manager"]',
        permission: 'Read',
        due: 'CurrentDate.days(3)',
        mailTemplate: 'workflowTaskAssigned',
        buttons: [{ name: 'grant' }, { name: 'refuse' }],
      },
      transitions: [
        { name: 'granted', to: 'holidaysOver', when: 'NodeVariables["button"] == "grant"', chain: 'Holidays.Grant' },
        { name: 'refused', to: 'holidaysAsk', when: 'NodeVariables["button"] == "refuse"' },
      ],
    },
    holidaysOver: { title: 'Over', isStop: true },
  },
})

export default definePlugin({
  name: 'holidays',
  requires: ['workflow'],
  workflows: [holidays],
  chains: [
    defineChain({
      id: 'Holidays.Grant',
      steps: [{ operation: 'Context.SetWorkflowVar', params: { name: 'isGranted', value: true } }],
      access: { isDisabled: true },
    }),
  ],
})
