import type { OperationContext } from '../../automation/context.ts'
import { defineOperation, type Operation } from '../../automation/operation.ts'
import { optional, required } from '../../automation/parameter.ts'
import { applyContent, saveParameter } from '../../automation/unsaved-changes.ts'
import { nothing } from '../../automation/values/value.ts'
import type { WriteSession } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { withFacet } from '../../model/own-facets.ts'
import { findParameter, localConfigurationFacet, parametersProperty, withParameters } from './local-parameters.ts'

const category = 'Local Configuration'

function setParameters(
  context: OperationContext<WriteSession>,
  document: Document,
  set: ReadonlyMap<string, string>,
  save: boolean,
): Promise<Document> {
  return applyContent(
    context,
    document,
    (current) => ({
      facets: withFacet(context.session.model, current, localConfigurationFacet.name),
      properties: { [parametersProperty]: withParameters(current, set) },
    }),
    { save },
  )
}

const putParameter = defineOperation({
  id: 'LocalConfiguration.PutSimpleConfigurationParameter',
  category,
  description: 'Sets a parameter for the document and all below it.',
  effect: 'writes',
  params: { key: required('string'), value: required('string'), save: saveParameter },
  run: ({ on }) => [
    on('document', 'document', (document, { params: { key, value, save }, context }) =>
      setParameters(context, document, new Map([[key, value]]), save),
    ),
  ],
})

const putParameters = defineOperation({
  id: 'LocalConfiguration.PutSimpleConfigurationParameters',
  category,
  description: 'Sets parameters for the document and all below it.',
  effect: 'writes',
  params: { parameters: required('properties', { description: 'The values by key' }), save: saveParameter },
  run: ({ on }) => [
    on('document', 'document', (document, { params: { parameters, save }, context }) => {
      const set = Object.entries(parameters).map(([key, value]) => [key, String(value ?? '')] as const)
      return setParameters(context, document, new Map(set), save)
    }),
  ],
})

const setAsVariable = defineOperation({
  id: 'LocalConfiguration.SetSimpleConfigurationParameterAsVar',
  category,
  description:
    'Puts a parameter that is set for the document, by itself or by a folder around it, into a variable of the context.',
  effect: 'reads',
  params: {
    name: required('string', { description: 'Of the variable' }),
    parameterName: required('string', { description: 'The key of the parameter' }),
    defaultValue: optional('string', { description: 'Where nobody has set it' }),
  },
  run: ({ on }) => [
    on('document', 'document', async (document, { params: { name, parameterName, defaultValue }, session, context }) => {
      const text = (await findParameter(session, document, parameterName)) ?? defaultValue
      context.variables.set(name, text === undefined ? nothing : { kind: 'string', text })
      return document
    }),
  ],
})

export const localConfigurationOperations: readonly Operation[] = [putParameter, putParameters, setAsVariable]
