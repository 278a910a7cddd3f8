import { assemblePieces, type TemplatePiece } from '../../rendering/index.ts'
import { placeBlocks } from './blocks.ts'
import { loopAround } from './loops.ts'
import type { OfficeFamily } from './office-family.ts'
import { type MarkBudget, markPlaceholders } from './placeholders.ts'
import { wrongOfficeTemplate } from './problems.ts'
import { marksBelow, templateParts, type XmlElement } from './xml-tree.ts'

const nothing: ReadonlySet<string> = new Set()

/**
 * A part of an office file as a template of text, whose texts are XML and well-formed whatever its lists and conditions give.
 * @throws wrongOfficeTemplate, expressionWrong, templateTooLarge
 */
export function piecesOfPart(
  root: XmlElement,
  family: OfficeFamily,
  { part, loops, budget }: { readonly part: string; readonly loops: ReadonlySet<string>; readonly budget: MarkBudget },
): readonly TemplatePiece[] {
  markPlaceholders(root, family, part, budget)
  loopAround(root, family, loops)
  placeBlocks(root, family)
  const repeats = marksBelow(root).some(({ mark }) => mark.kind === 'list')
  const parts = templateParts(root, repeats ? family.ids : nothing, (place, what) => wrongOfficeTemplate({ ...place, what }))
  return assemblePieces(parts, (what) => wrongOfficeTemplate({ part, near: '', what }))
}
