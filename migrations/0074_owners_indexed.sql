-- With each user and agent that goes, the database looks for rows that refer to it: without these in every space, export and
-- message of the deployment.
CREATE INDEX spaces_of_user ON spaces (user_id);
CREATE INDEX exports_of_user ON exports (user_id);
CREATE INDEX channel_inbox_of_user ON channel_inbox (user_id);
CREATE INDEX space_tags_of_user ON space_tags (user_id);
CREATE INDEX space_agents_of_agent ON space_agents (agent_id);
-- For jobs that go through all spaces of a tenant, some at a time.
CREATE INDEX spaces_in_order ON spaces (tenant_id, id);
