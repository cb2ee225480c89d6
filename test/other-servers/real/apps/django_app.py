"""Django REST framework as its tutorial sets it up: models, serializers, viewsets and a router, one for each pagination."""

import json
import sys
from socketserver import ThreadingMixIn
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from django.conf import settings

settings.configure(
    ALLOWED_HOSTS=["127.0.0.1"],
    SECRET_KEY="invented",
    ROOT_URLCONF=__name__,
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": "db.sqlite"}},
    INSTALLED_APPS=["rest_framework"],
    MIDDLEWARE=["django.middleware.common.CommonMiddleware"],
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    TIME_ZONE="UTC",
    USE_TZ=True,
    REST_FRAMEWORK={
        "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
        "DEFAULT_AUTHENTICATION_CLASSES": [],
        "UNAUTHENTICATED_USER": None,
        "DEFAULT_FILTER_BACKENDS": ["rest_framework.filters.SearchFilter", "rest_framework.filters.OrderingFilter"],
    },
)

import django  # noqa: E402

django.setup()

from django.core.wsgi import get_wsgi_application  # noqa: E402
from django.db import connection, models, transaction  # noqa: E402
from django.http import HttpResponse  # noqa: E402
from django.urls import include, path  # noqa: E402
from rest_framework import pagination, routers, serializers, viewsets  # noqa: E402


def text():
    return models.CharField(max_length=200, null=True, blank=True)


class Client(models.Model):
    first_name = models.CharField(max_length=200)
    last_name = models.CharField(max_length=200)
    email = models.EmailField(null=True, blank=True)
    phone = text()
    notes = models.TextField(null=True, blank=True)
    loyalty_number = models.IntegerField(null=True)
    balance = models.FloatField(null=True)
    address = models.JSONField(null=True)
    created_at = models.DateTimeField(null=True)
    updated_at = models.DateTimeField(null=True)

    class Meta:
        app_label = "salon"


class Appointment(models.Model):
    client_id = models.IntegerField()
    stylist_id = models.IntegerField()
    service = text()
    start_time = models.DateTimeField()
    duration = models.IntegerField()
    status = text()
    updated_at = models.DateTimeField(null=True)

    class Meta:
        app_label = "salon"


class Stylist(models.Model):
    name = text()

    class Meta:
        app_label = "salon"


all_models = {"clients": Client, "appointments": Appointment, "stylists": Stylist}


class Numbered(pagination.PageNumberPagination):
    page_size = 20
    page_size_query_param = "page_size"
    max_page_size = 100


class Offset(pagination.LimitOffsetPagination):
    default_limit = 20
    max_limit = 100


class Cursor(pagination.CursorPagination):
    page_size = 20
    page_size_query_param = "page_size"
    max_page_size = 100
    ordering = "id"


def make_router(pages):
    router = routers.DefaultRouter()
    for name, one in all_models.items():
        meta = type("Meta", (), {"model": one, "fields": "__all__"})
        serializer = type(f"{one.__name__}Serializer", (serializers.ModelSerializer,), {"Meta": meta})
        members = {
            "queryset": one.objects.order_by("id"),
            "serializer_class": serializer,
            "pagination_class": pages,
            "search_fields": ["first_name", "last_name", "email", "phone"] if one is Client else [],
            "ordering": "id",
            "ordering_fields": "__all__",
        }
        router.register(name, type(f"{one.__name__}ViewSet", (viewsets.ModelViewSet,), members), basename=name)
    return router


def serve_truth(request):
    """The records themselves: the tests read and replace them here."""
    if request.method == "PUT":
        records = json.loads(request.body)
        with transaction.atomic():
            for name, one in all_models.items():
                one.objects.all().delete()
                one.objects.bulk_create([one(**row) for row in records.get(name, [])])
    rows = {name: list(one.objects.order_by("id").values()) for name, one in all_models.items()}
    return HttpResponse(json.dumps(rows, default=to_text), content_type="application/json")


def to_text(value):
    return value.isoformat().replace("+00:00", "Z")


urlpatterns = [
    path("_truth", serve_truth),
    path("page/", include((make_router(Numbered).urls, "page"))),
    path("limit/", include((make_router(Offset).urls, "limit"))),
    path("cursor/", include((make_router(Cursor).urls, "cursor"))),
]


class Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True


class Handler(WSGIRequestHandler):
    def log_message(self, *_):
        pass


if __name__ == "__main__":
    with connection.schema_editor() as editor:
        for model in all_models.values():
            editor.create_model(model)
    server = make_server("127.0.0.1", int(sys.argv[1]), get_wsgi_application(), Server, Handler)
    server.serve_forever()
