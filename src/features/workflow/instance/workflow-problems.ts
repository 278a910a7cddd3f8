import { defineProblem } from '../../../base/problem.ts'

export const workflowNotFound = defineProblem(
  'workflowNotFound',
  'notFound',
  (of: { id: string }) => `There is no workflow ${of.id}.`,
)

export const modelNotFound = defineProblem(
  'modelNotFound',
  'notFound',
  (of: { name: string }) => `no route found for id: ${of.name}`,
)

export const taskNotFound = defineProblem('taskNotFound', 'notFound', (of: { id: string }) => `There is no task ${of.id}.`)

export const notCancellable = defineProblem(
  'notCancellable',
  'forbidden',
  (of: { principal: string }) =>
    `You have no permission to cancel this workflow: whoever started it may, and administrators and power users; '${of.principal}' is none of them.`,
)

export const workflowOver = defineProblem(
  'workflowOver',
  'conflict',
  (of: { id: string; state: string }) => `The workflow ${of.id} is ${of.state}; nothing more can happen to it.`,
)

export const taskOver = defineProblem(
  'taskOver',
  'conflict',
  (of: { id: string; state: string }) => `The task ${of.id} is ${of.state} already.`,
)

export const notYourTask = defineProblem(
  'notYourTask',
  'forbidden',
  (of: { id: string; principal: string }) =>
    `The task ${of.id} is not for '${of.principal}'. Ask one of its actors to do it, or to delegate it.`,
)

export const taskOfNoNode = defineProblem(
  'taskOfNoNode',
  'conflict',
  (of: { id: string; node: string }) =>
    `The node ${of.node} does not wait for the task ${of.id}, which nobody can complete. An administrator may remove it.`,
)

export const notAssignable = defineProblem(
  'notAssignable',
  'invalid',
  (of: { node: string; reason: string }) => `The node ${of.node} has nobody to ask: ${of.reason}.`,
)

export const notDatable = defineProblem(
  'notDatable',
  'invalid',
  (of: { node: string }) => `The due date of the node ${of.node} is no date. Fill in what it is made of.`,
)
