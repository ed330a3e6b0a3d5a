import type * as z from 'zod'
import type { Finding } from '../../../storylines/checks/findings'
import type {
  EnrollmentOut,
  FeatureOut,
  FunnelOut,
  MigrationOut,
  MigrationState,
  ProposalOut,
  ScenarioIn,
  ScenarioOut,
  ScenariosRun,
  SimulationOut,
  StorylineOut,
  StorylineRevisionFull,
  StorylineRevisionOut,
} from '../../../storylines/schema'

export type Storyline = z.output<typeof StorylineOut>
export type Revision = z.output<typeof StorylineRevisionOut>
export type RevisionFull = z.output<typeof StorylineRevisionFull>
export type Enrollment = z.output<typeof EnrollmentOut>
export type Funnel = z.output<typeof FunnelOut>
export type FunnelNode = Funnel['nodes'][string]
export type Feature = z.output<typeof FeatureOut>
export type Migration = z.output<typeof MigrationOut>
export type Job = z.output<typeof MigrationState>
export type Proposal = z.output<typeof ProposalOut>
export type Simulation = z.output<typeof SimulationOut>
export type Turn = Simulation['turns'][number]
export type ScenarioBody = z.input<typeof ScenarioIn>
export type Scenario = z.output<typeof ScenarioOut>
export type ScenarioResults = z.output<typeof ScenariosRun>
export type {
  AskedSlot,
  Assignments,
  Exit,
  ExitEvent,
  Graph,
  NodeType,
  StoryNode,
  StoryText,
} from '../../../storylines/graph'
export type { Finding }
