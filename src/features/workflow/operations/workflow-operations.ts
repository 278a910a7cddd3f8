import type { OperationContext } from '../../../automation/context.ts'
import { defineOperation, type Operation } from '../../../automation/operation.ts'
import { optional } from '../../../automation/parameter.ts'
import { defineProblem } from '../../../base/problem.ts'
import type { Services } from '../../../rest/services.ts'
import { resumeNode } from '../instance/resume-node.ts'
import type { RouteEnvironment } from '../instance/route-context.ts'
import { instanceInContext } from './variable-operations.ts'

export const noInstanceNamed = defineProblem(
  'noInstanceNamed',
  'invalid',
  (of: { operation: string; parameter: string }) =>
    `${of.operation} does not know which one is meant: say so in ${of.parameter}.`,
)

const category = 'Workflow Context'

/** What the engine needs, where an operation asks for it. */
export function environmentIn(services: Services, { host, budget }: OperationContext): RouteEnvironment {
  return { services, host, budget }
}

export function workflowOperations(services: Services): readonly Operation[] {
  return [
    defineOperation({
      id: 'Workflow.ResumeNode',
      aliases: ['Workflow.ResumeNodeOperation'],
      category,
      description: 'Lets a node go on that waits; its open tasks are cancelled.',
      effect: 'writes',
      access: { administrators: true },
      params: { workflowInstanceId: optional('string'), nodeId: optional('string') },
      run: ({ on }) => [
        on('void', 'void', async (_, { params, session, context }) => {
          const id = params.workflowInstanceId ?? instanceInContext(context)
          const node = context.variables.get('nodeId')
          const nodeId = params.nodeId ?? (node?.kind === 'string' ? node.text : undefined)
          const operation = 'Workflow.ResumeNode'
          if (id === undefined) throw noInstanceNamed({ operation, parameter: 'workflowInstanceId' })
          if (nodeId === undefined) throw noInstanceNamed({ operation, parameter: 'nodeId' })
          await resumeNode(environmentIn(services, context), session, { id, nodeId })
        }),
      ],
    }),
  ]
}
