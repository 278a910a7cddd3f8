import type { Document, DocumentId } from '../../model/document.ts'
import { isComplexValue, type Properties } from '../../model/properties/property.ts'
import { bindingsProperty } from './template-model.ts'

/** A template that a document is bound to. */
export interface TemplateBinding {
  readonly templateId: DocumentId
  readonly templateName: string
  /** The parameters as they are for this document. */
  readonly templateData: string | null
  /** The main file of the document was copied from the template, and is one itself. */
  readonly useMainContentAsTemplate: boolean
}

/** What is called so is whichever there is, unless one has that name. */
export const defaultBinding = 'default'

export function bindingsOf({ properties }: Pick<Document, 'properties'>): readonly TemplateBinding[] {
  const value = properties[bindingsProperty]
  return Array.isArray(value) ? value.filter(isComplexValue).flatMap(bindingOf) : []
}

function bindingOf({ templateId, templateName, templateData, useMainContentAsTemplate }: Properties): readonly TemplateBinding[] {
  if (typeof templateId !== 'string' || templateId === '') return []
  return [
    {
      templateId,
      templateName: typeof templateName === 'string' && templateName !== '' ? templateName : defaultBinding,
      templateData: typeof templateData === 'string' ? templateData : null,
      useMainContentAsTemplate: useMainContentAsTemplate === true,
    },
  ]
}

export function findBinding(bindings: readonly TemplateBinding[], name: string): TemplateBinding | undefined {
  const wanted = name.trim() || defaultBinding
  return bindings.find(({ templateName }) => templateName === wanted) ?? (wanted === defaultBinding ? bindings[0] : undefined)
}

/** With the binding in place of an earlier one to the same template, or last. */
export function withBinding(bindings: readonly TemplateBinding[], binding: TemplateBinding): readonly TemplateBinding[] {
  const at = bindings.findIndex(({ templateId }) => templateId === binding.templateId)
  return at === -1 ? [...bindings, binding] : bindings.with(at, binding)
}

export function withoutTemplate(bindings: readonly TemplateBinding[], templateId: DocumentId): readonly TemplateBinding[] {
  return bindings.filter((binding) => binding.templateId !== templateId)
}

export function storedBindings(bindings: readonly TemplateBinding[]): readonly Properties[] {
  return bindings.map((binding) => ({ ...binding }))
}
