import type { OperationContext } from '../../../automation/context.ts'
import { defineOperation, type Operation } from '../../../automation/operation.ts'
import { optional, required } from '../../../automation/parameter.ts'
import { jsonOfValue } from '../../../automation/values/read-sent-properties.ts'
import { nothing, type Value } from '../../../automation/values/value.ts'
import type { SentProperties } from '../../../automation/values/words.ts'
import { defineProblem } from '../../../base/problem.ts'
import { requireValid } from '../../../core/documents/require-valid.ts'
import type { WriteSession } from '../../../core/session.ts'
import { looksAfter, requireChooser } from '../instance/choose-people.ts'
import { findOpenRoute, isModel, openRoute } from '../instance/open-route.ts'
import { readSentVariables, workflowVariables } from '../instance/variables.ts'
import { keptByEngine } from '../workflow-rights.ts'

export const notYourWorkflow = defineProblem(
  'notYourWorkflow',
  'forbidden',
  (of: { id: string; principal: string }) =>
    `Only who started the workflow ${of.id}, administrators and power users set its variables; '${of.principal}' is none of them.`,
)

export const noWorkflowContext = defineProblem(
  'noWorkflowContext',
  'invalid',
  (of: { operation: string }) => `${of.operation} runs inside of a workflow: as a step of a chain of one of its nodes.`,
)

const category = 'Workflow Context'

/** The instance for which the chain is run, if it is run for one. */
export function instanceInContext({ variables }: OperationContext): string | undefined {
  const value = variables.get('workflowInstanceId')
  return value?.kind === 'string' && value.text !== '' ? value.text : undefined
}

function setIn(context: OperationContext, map: 'WorkflowVariables' | 'NodeVariables', name: string, value: Value): void {
  const held = context.variables.get(map)
  const members = held?.kind === 'map' ? held.members : {}
  context.variables.set(map, { kind: 'map', members: { ...members, [name]: value } })
}

/** Sets variables of an instance from outside of its own chains. */
async function setOnInstance(session: WriteSession, { host }: OperationContext, id: string, sent: SentProperties): Promise<void> {
  const open = await openRoute(session, id)
  const { principal } = session
  // All that are started later begin with what a model has.
  if (isModel(open.route) && !principal.isAdministrator) throw keptByEngine({})
  if (!looksAfter(session, open.route)) throw notYourWorkflow({ id, principal: principal.name })
  await requireChooser(session, await open.attached())
  open.isChosenHere = true
  const known = workflowVariables(session.model, open.route)
  const changed = await readSentVariables({ host, session }, open.route, known, { sent, isLegacy: false })
  open.changeRoute(changed)
  await requireValid(session, open.route, {}, new Set(Object.keys(changed)))
  await open.write()
}

const setWorkflowVariable = defineOperation({
  id: 'Context.SetWorkflowVar',
  category,
  requires: 'Workflow',
  description: 'Sets a variable of the workflow, in the context and on the instance.',
  effect: 'writes',
  params: {
    name: required('string'),
    value: optional('object'),
    workflowInstanceId: optional('string', { description: 'That of the context when absent' }),
  },
  run: ({ on }) => [
    on('void', 'void', async (_, { params: { name, value = nothing, workflowInstanceId }, session, context }) => {
      setIn(context, 'WorkflowVariables', name, value)
      const own = instanceInContext(context)
      const id = workflowInstanceId ?? own
      // What a chain of the instance sets is stored when the chain has ended.
      if (id === undefined || (id === own && findOpenRoute(session, id) !== undefined)) return
      await setOnInstance(session, context, id, { [name]: jsonOfValue(value) ?? null })
    }),
  ],
})

const setNodeVariable = defineOperation({
  id: 'Workflow.SetNodeVariable',
  aliases: ['Context.SetWorkflowNodeVar'],
  category,
  requires: 'Workflow',
  description: 'Sets a variable of the node in whose chain it runs.',
  effect: 'writes',
  params: { name: required('string'), value: optional('object') },
  run: ({ on }) => [
    on('void', 'void', (_, { params: { name, value = nothing }, context }) => {
      if (context.variables.get('NodeVariables') === undefined) throw noWorkflowContext({ operation: 'Workflow.SetNodeVariable' })
      setIn(context, 'NodeVariables', name, value)
    }),
  ],
})

const setWorkflowVariables = defineOperation({
  id: 'Workflow.SetWorkflowVariables',
  category,
  description: 'Sets variables of a workflow.',
  effect: 'writes',
  params: { id: required('string', { description: 'Of the workflow' }), properties: required('properties') },
  run: ({ on }) => [
    on('void', 'void', (_, { params: { id, properties }, session, context }) => setOnInstance(session, context, id, properties)),
  ],
})

export const variableOperations: readonly Operation[] = [setWorkflowVariable, setNodeVariable, setWorkflowVariables]
