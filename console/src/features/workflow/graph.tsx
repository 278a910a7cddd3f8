import { useQuery } from '@tanstack/react-query'
import { useId, useMemo } from 'react'
import { graphQuery, type Workflow, type WorkflowGraph } from '../../api/workflow.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useLanguage } from '../../words/words.ts'
import { Shown } from '../problems/shown.tsx'
import { type DrawnNode, drawGraph, nodeHeight, nodeWidth } from './drawn-graph.ts'
import { useStateNames, useWorkflowWords } from './words.ts'
import styles from './workflow.module.css'

/** Where a workflow stands: its steps as a picture, and in words for those who do not see it. */
export function Graph({ workflow }: { readonly workflow: Workflow }) {
  const query = useQuery(graphQuery(workflow, useLanguage()))
  return (
    <Shown query={query} waiting={<Skeleton />}>
      {(graph) => <Picture graph={graph} title={workflow.title ?? workflow.name} />}
    </Shown>
  )
}

const isCurrent = ({ state }: Pick<DrawnNode, 'state'>) => state === 'suspended' || state === 'running' || state === 'waiting'

function Picture({ graph, title }: { readonly graph: WorkflowGraph; readonly title: string }) {
  const say = useWorkflowWords()
  const stateName = useStateNames()
  const arrow = useId()
  const { width, height, nodes, edges } = useMemo(() => drawGraph(graph), [graph])
  const nameOf = ({ title: name, isStartNode, isEndNode }: Pick<DrawnNode, 'title' | 'isStartNode' | 'isEndNode'>) =>
    isStartNode || isEndNode ? stateName(name) : name
  const now = nodes.filter(isCurrent).map(nameOf).join(', ')
  return (
    <figure className={styles.graph}>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={now === '' ? say('graphOfModel', { title }) : say('graph', { title, now })}
        style={{ inlineSize: width }}
      >
        <defs>
          <marker id={arrow} viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
            <path d="M0 0 8 4 0 8z" className={styles.head} />
          </marker>
        </defs>
        {edges.map(({ key, path }) => (
          <path key={key} d={path} className={styles.edge} markerEnd={`url(#${arrow})`} />
        ))}
        {edges.map(({ key, label, x, y }) =>
          label === '' ? null : (
            <text key={key} x={x} y={y} className={styles.label} textAnchor="middle">
              {label}
            </text>
          ),
        )}
        {nodes.map((node) => (
          <g key={node.id} transform={`translate(${node.left} ${node.top})`} data-state={isCurrent(node) ? 'now' : node.state}>
            <rect
              className={styles.node}
              width={nodeWidth}
              height={nodeHeight}
              rx={node.isStartNode || node.isEndNode ? nodeHeight / 2 : 10}
            />
            <text x={nodeWidth / 2} y={nodeHeight / 2} className={styles.name} textAnchor="middle" dominantBaseline="central">
              {shortened(nameOf(node))}
            </text>
          </g>
        ))}
      </svg>
      <figcaption className="only-read">
        <ol>
          {nodes.map((node) => (
            <li key={node.id}>
              {nameOf(node)}: {stateName(node.state)}
            </li>
          ))}
        </ol>
      </figcaption>
    </figure>
  )
}

const longestName = 24

function shortened(name: string): string {
  return name.length > longestName ? `${name.slice(0, longestName - 1).trimEnd()}…` : name
}
