import { defineProblem } from '../../base/problem.ts'

export const notSnapshotable = defineProblem(
  'notSnapshotable',
  'invalid',
  (of: { id: string; type: string }) =>
    `${of.id} is a ${of.type} without the facet Snapshotable: no version of its tree is made. Add the facet with Document.AddFacet.`,
)

export const notLiveInPlace = defineProblem(
  'notLiveInPlace',
  'invalid',
  (of: { id: string; what: string }) =>
    `${of.id} is ${of.what}. A version of a tree is made of a live document outside of the trash.`,
)

export const noIncrement = defineProblem(
  'noIncrement',
  'invalid',
  (_: object) => "The 'versioning option' is MINOR or MAJOR: with NONE all versions would have the number of those before.",
)

export const treeTooLarge = defineProblem(
  'treeTooLarge',
  'invalid',
  (of: { max: number }) =>
    `The tree has more than ${of.max} documents, which is the most of which one call makes versions (treeSnapshotMaxDocuments). Take a part of it.`,
)

export const notASnapshot = defineProblem(
  'notASnapshot',
  'invalid',
  (of: { id: string }) => `${of.id} is no version of a tree. Give a version that Document.CreateTreeSnapshot has made.`,
)

export const snapshotIncomplete = defineProblem(
  'snapshotIncomplete',
  'conflict',
  (of: { id: string }) =>
    `The version of the tree names ${of.id}, which is not there as a version of a document. It cannot be brought back.`,
)

export const partOfSnapshot = defineProblem(
  'partOfSnapshot',
  'forbidden',
  (of: { id: string }) =>
    `Permission denied: cannot remove document ${of.id}, a version of a tree holds it. Remove the version of the folder that it was in first.`,
)

export const snapshotNotWritten = defineProblem(
  'snapshotNotWritten',
  'forbidden',
  (of: { property: string }) => `${of.property} is not written directly. Document.CreateTreeSnapshot writes it.`,
)
