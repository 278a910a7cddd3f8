import type { Settings } from '../builtin-settings.ts'
import { type CommandContext, type ExitCode, exitCodes } from '../command/command.ts'
import { table } from '../command/table.ts'
import { documentAll, documentCallable, type OperationDocumentation } from '../features/automation/operation-documentation.ts'
import { readOperations } from '../server.ts'
import { renderOperationsPage } from './operations-page.ts'

type OperationsCall = CommandContext<
  Settings,
  { readonly json: boolean; readonly markdown: boolean },
  { readonly id: string | undefined }
>

/** @throws operationNotFound, pluginMistake */
export async function showOperations({ settings, plugins, options, operands, print }: OperationsCall): Promise<ExitCode> {
  const described = readOperations({ settings, plugins })
  if (operands.id !== undefined) {
    const documented = documentCallable(described.operations.read(operands.id), described)
    print(options.json ? JSON.stringify(documented) : inWords(documented))
  } else if (options.markdown) print(renderOperationsPage(described).trimEnd())
  else {
    const all = documentAll(described)
    print(options.json ? JSON.stringify(all) : listing(all))
  }
  return exitCodes.done
}

function listing(all: readonly OperationDocumentation[]): string {
  const rows = all.map(({ id, category, description }) => [id, category, description ?? ''])
  return table(['OPERATION', 'CATEGORY', 'WHAT IT DOES'], rows)
}

function inWords({ id, aliases = [], category, description, signature, params }: OperationDocumentation): string {
  const parameters = params.map((one) => [
    one.name,
    one.type,
    one.required ? 'required' : '',
    [one.description, one.values.length > 0 ? `(${one.values.join(', ')})` : ''].filter(Boolean).join(' '),
  ])
  return [
    `${id} (${category})`,
    ...(description === null || description === '' ? [] : [description]),
    ...(aliases.length === 0 ? [] : [`Also called ${aliases.join(', ')}.`]),
    '',
    ...pairsOf(signature).map(([input, output]) => `  ${input} → ${output}`),
    ...(parameters.length === 0 ? [] : ['', table(['PARAMETER', 'TYPE', '', ''], parameters)]),
  ].join('\n')
}

function pairsOf(signature: readonly string[]): readonly (readonly [input: string, output: string])[] {
  return signature.flatMap((word, index) => (index % 2 === 0 ? [[word, signature[index + 1] ?? ''] as const] : []))
}
