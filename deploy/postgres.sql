-- For compose.yaml: PostgreSQL's image runs this once, on an empty volume. The service's role owns its database and no more.
\getenv password POSTGRES_PASSWORD
CREATE ROLE carillon LOGIN PASSWORD :'password';
ALTER DATABASE carillon OWNER TO carillon;
-- The superuser comes in by the container's own socket only: docker compose exec postgres psql -U postgres
ALTER ROLE postgres PASSWORD NULL;
