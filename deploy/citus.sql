-- Spreads the tables of a database over the workers of a Citus cluster, by organization: docs/operations.md, "More than one database
-- server". Run once on the coordinator, when the first host has made the tables and before data is large:
--   psql --single-transaction --set ON_ERROR_STOP=1 --file citus.sql DATABASE
-- A newer version of Sightglass that adds a table brings a newer file: run its lines for the tables that are new.

SELECT create_distributed_table('organizations', 'organization_id');
SELECT create_distributed_table('locations', 'organization_id', colocate_with => 'organizations');
SELECT create_distributed_table('parts', 'organization_id', colocate_with => 'organizations');
SELECT create_distributed_table('keys', 'organization_id', colocate_with => 'organizations');
SELECT create_distributed_table('database_users', 'organization_id', colocate_with => 'organizations');
SELECT create_distributed_table('usage_counts', 'organization_id', colocate_with => 'organizations');
SELECT create_distributed_table('receipts', 'organization_id', colocate_with => 'organizations');
SELECT create_distributed_table('audit_rows', 'organization_id', colocate_with => 'organizations');
SELECT create_distributed_table('deletions', 'organization_id', colocate_with => 'organizations');
SELECT create_distributed_table('datasets', 'organization_id', colocate_with => 'organizations');
SELECT create_distributed_table('streams', 'organization_id', colocate_with => 'organizations');
SELECT create_distributed_table('binary_captures', 'organization_id', colocate_with => 'organizations');
SELECT create_distributed_table('binary_captures_marks', 'organization_id', colocate_with => 'organizations');
SELECT create_distributed_table('result_sheets', 'organization_id', colocate_with => 'organizations');
SELECT create_distributed_table('tabular_captures', 'organization_id', colocate_with => 'organizations');
SELECT create_distributed_table('tabular_captures_marks', 'organization_id', colocate_with => 'organizations');
SELECT create_distributed_table('sequences', 'organization_id', colocate_with => 'organizations');
SELECT create_distributed_table('label_tasks', 'organization_id', colocate_with => 'organizations');
SELECT create_distributed_table('label_comments', 'organization_id', colocate_with => 'organizations');
SELECT create_distributed_table('label_schemes', 'organization_id', colocate_with => 'organizations');
SELECT create_distributed_table('label_presence', 'organization_id', colocate_with => 'organizations');
SELECT create_distributed_table('saved_queries', 'organization_id', colocate_with => 'organizations');
SELECT create_distributed_table('pipelines', 'organization_id', colocate_with => 'organizations');
SELECT create_distributed_table('runs', 'organization_id', colocate_with => 'organizations');
SELECT create_distributed_table('sinks', 'organization_id', colocate_with => 'organizations');
SELECT create_distributed_table('indexes', 'organization_id', colocate_with => 'organizations');
-- after tabular_captures, which its foreign key leads to
SELECT create_distributed_table('field_values', 'organization_id', colocate_with => 'organizations');
SELECT create_distributed_table('sink_values', 'organization_id', colocate_with => 'organizations');

-- These tables belong to the whole installation, those of people too, since a person may belong to several organizations. They have few
-- rows, which no statement joins with those of organizations. They stay on the coordinator: as reference tables they would be written on
-- every worker, and a lease could not be taken by the time of the server (ON CONFLICT … WHERE store_time()).
--   installation_secrets installation_state invitations leases members passkeys people schema_version sessions token_renewals
