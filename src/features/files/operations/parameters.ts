import { defaulted } from '../../../automation/parameter.ts'

/** Where the file is or goes. */
export const xpath = defaulted('string', 'file:content', { description: 'The place of the file in the document' })

export const save = defaulted('boolean', true, { description: 'Without it the change waits for a step that saves' })
