import type { OperationContext } from '../../../automation/context.ts'
import type { FlowingBlob } from '../../../automation/values/flowing-blob.ts'
import type { ConversionParameters } from '../../../core/conversion/converter.ts'
import { converted, requirePdf } from '../converted-file.ts'
import { parsePdfEdit, wrongPdfParameter } from './pdf-edit.ts'

/**
 * The PDF after something was done to it, under its own name. What is wrong with the parameters is said before anything runs.
 * @throws notAPdf, wrongPdfParameter
 */
export function editedPdf(
  context: OperationContext,
  file: FlowingBlob,
  parameters: ConversionParameters,
  attached: readonly FlowingBlob[] = [],
): Promise<FlowingBlob> {
  requirePdf(file)
  parsePdfEdit(parameters)
  return converted(context, file, { converter: 'editPdf' }, { parameters, attached })
}

/** Parameters of an operation as a converter is told them: what is absent is left out. */
export function given(params: { readonly [name: string]: unknown }): ConversionParameters {
  const told = Object.entries(params).filter(([, value]) => value !== undefined && value !== null)
  return Object.fromEntries(told.map(([name, value]) => [name, String(value)]))
}

/** The properties that a parameter has, which may be those that are known and no others. @throws wrongPdfParameter */
export function givenAmong(
  properties: { readonly [name: string]: unknown } | undefined,
  known: readonly string[],
): ConversionParameters {
  const told = given(properties ?? {})
  const unknown = Object.keys(told).find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw wrongPdfParameter({ parameter: 'Each property', rule: `one of ${known.join(', ')}`, value: unknown })
  return told
}

/** The name of a file without what tells its type. */
export function bareName({ blob: { name } }: FlowingBlob): string {
  return (name ?? 'document').replace(/\.pdf$/i, '')
}
