import { assemblePieces, type TemplatePiece } from '../../rendering/index.ts'
import { placeBlocks } from './blocks.ts'
import type { OfficeFamily } from './office-family.ts'
import { loopAround, type MarkBudget, markPlaceholders } from './placeholders.ts'
import { wrongOfficeTemplate } from './problems.ts'
import { marksBelow, type OfficeElement, type TreeBudget, templateParts } from './xml-tree.ts'

const nothing: ReadonlySet<string> = new Set()

/**
 * A part of an office file as a template of text, whose texts are XML and well-formed whatever its lists and conditions give.
 * @throws wrongOfficeTemplate, expressionWrong, templateTooLarge
 */
export async function piecesOfPart(
  root: OfficeElement,
  family: OfficeFamily,
  {
    part,
    loops,
    budget,
  }: { readonly part: string; readonly loops: ReadonlySet<string>; readonly budget: MarkBudget & Pick<TreeBudget, 'rest'> },
): Promise<readonly TemplatePiece[]> {
  markPlaceholders(root, family, part, budget)
  loopAround(root, family, loops, budget)
  await placeBlocks(root, family, () => budget.rest())
  const repeats = marksBelow(root).some(({ mark }) => mark.kind === 'list')
  const parts = templateParts(root, repeats ? family.ids : nothing, (place, what) => wrongOfficeTemplate({ ...place, what }))
  return assemblePieces(parts, (what) => wrongOfficeTemplate({ part, near: '', what }))
}
