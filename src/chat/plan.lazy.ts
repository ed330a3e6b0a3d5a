/** How a model is asked for a plan: only previews need it. */
export { PLAN_ORDER, planList, readPlan } from './plan'
