import type { WorkflowModel } from '../../../automation/workflow.ts'
import { type CommandFamily, defineCommand, exitCodes } from '../../../command/command.ts'
import { parsePlugins } from '../../../plugin/gather-plugins.ts'
import { defineSettings } from '../../../settings/define-settings.ts'
import { mermaidOf } from '../mermaid.ts'
import { parallelReview } from '../models/parallel-review.ts'
import { serialReview } from '../models/serial-review.ts'

/** What the server and the plugins of the deployment declare. */
function modelsOf(plugins: readonly unknown[]): ReadonlyMap<string, WorkflowModel> {
  const own = parsePlugins(plugins).flatMap(({ workflows = [] }) => workflows)
  return new Map([serialReview, parallelReview, ...own].map((model) => [model.name, model]))
}

export const workflowFamily: CommandFamily = {
  kind: 'family',
  name: 'workflow',
  summary: 'look at workflows',
  commands: {
    graph: async () =>
      defineCommand({
        name: 'workflow graph',
        summary: 'draw a workflow as a flowchart in Mermaid',
        shownSettings: ['config'],
        options: defineSettings({ language: { type: 'string', default: 'en', help: 'Of the texts' } }),
        operands: { model: { help: 'The name of the model' } },
        notes: ['Nothing is opened: it is drawn from what quire.config.ts declares.'],
        async run({ operands, options, plugins, print, complain }) {
          const models = modelsOf(plugins)
          const model = models.get(operands.model)
          if (model === undefined) {
            complain(`There is no workflow ${operands.model}. There are: ${[...models.keys()].join(', ')}.`)
            return exitCodes.usage
          }
          print(mermaidOf(model, options.language).trimEnd())
          return exitCodes.done
        },
      }),
  },
}
