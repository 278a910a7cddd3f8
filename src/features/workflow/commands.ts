import type { Commands } from '../../command/command.ts'

/** What can be seen of workflows without a server. */
export const workflowCommands: Commands = {
  workflow: async () => (await import('./commands/workflow.ts')).workflowFamily,
}
